#include "base/clang_ast.hpp"

#include <clang-c/Index.h>

#include <filesystem>
#include <memory>

namespace noctune {
namespace {

constexpr const char* source_name = "/noctune/kernel.cpp";
constexpr const char* context_name = "/noctune/context.hpp";
constexpr const char* probe_name = "/noctune/vector_width.hpp";
// Tells by a declaration's name which vectors the target has.
constexpr const char* probe_text =
    "#pragma once\n"
    "#if defined(__AVX512F__)\nstruct noctune_vector_64;\n"
    "#elif defined(__AVX__)\nstruct noctune_vector_32;\n#endif\n";

struct IndexCloser {
  void operator()(void* index) const { clang_disposeIndex(index); }
};
struct UnitCloser {
  void operator()(CXTranslationUnit unit) const { clang_disposeTranslationUnit(unit); }
};
using Index = std::unique_ptr<void, IndexCloser>;
using Unit = std::unique_ptr<CXTranslationUnitImpl, UnitCloser>;

std::string text_of(CXString string) {
  const char* text = clang_getCString(string);
  std::string copy = text ? text : "";
  clang_disposeString(string);
  return copy;
}

AstKind kind_of(CXCursorKind kind) {
  switch (kind) {
    case CXCursor_FunctionDecl:
      return AstKind::function;
    case CXCursor_ParmDecl:
      return AstKind::parameter;
    case CXCursor_CompoundStmt:
      return AstKind::compound;
    case CXCursor_DeclStmt:
      return AstKind::declaration;
    case CXCursor_VarDecl:
      return AstKind::variable;
    case CXCursor_ForStmt:
      return AstKind::for_loop;
    case CXCursor_IfStmt:
      return AstKind::branch;
    case CXCursor_ReturnStmt:
      return AstKind::return_statement;
    case CXCursor_NullStmt:
      return AstKind::empty;
    case CXCursor_BinaryOperator:
      return AstKind::binary;
    case CXCursor_CompoundAssignOperator:
      return AstKind::compound_assignment;
    case CXCursor_UnaryOperator:
      return AstKind::unary;
    case CXCursor_DeclRefExpr:
      return AstKind::reference;
    case CXCursor_IntegerLiteral:
      return AstKind::integer;
    case CXCursor_FloatingLiteral:
      return AstKind::floating;
    case CXCursor_ArraySubscriptExpr:
      return AstKind::subscript;
    case CXCursor_CallExpr:
      return AstKind::call;
    case CXCursor_ParenExpr:
      return AstKind::parenthesis;
    case CXCursor_UnexposedExpr:
      return AstKind::implicit;
    case CXCursor_ConditionalOperator:
      return AstKind::conditional;
    case CXCursor_CStyleCastExpr:
    case CXCursor_CXXStaticCastExpr:
    case CXCursor_CXXFunctionalCastExpr:
      return AstKind::cast;
    default:
      return clang_isPreprocessing(kind) ? AstKind::directive : AstKind::other;
  }
}

std::size_t offset_of(CXSourceLocation location, bool* in_source = nullptr) {
  CXFile file = nullptr;
  unsigned offset = 0;
  clang_getFileLocation(location, &file, nullptr, nullptr, &offset);
  if (in_source) *in_source = file && text_of(clang_getFileName(file)) == source_name;
  return offset;
}

void fill_function(CXCursor cursor, AstNode& node) {
  node.internal = clang_getCursorLinkage(cursor) == CXLinkage_Internal;
  node.c_linkage = !node.internal && text_of(clang_Cursor_getMangling(cursor)) == node.name;
}

void fill_reference(CXCursor cursor, AstNode& node) {
  bool in_source = false;
  const std::size_t offset =
      offset_of(clang_getCursorLocation(clang_getCursorReferenced(cursor)), &in_source);
  if (in_source) node.declared_at = offset;
}

AstNode read_node(CXCursor cursor);

CXChildVisitResult add_child(CXCursor cursor, CXCursor, CXClientData data) {
  static_cast<AstNode*>(data)->children.push_back(read_node(cursor));
  return CXChildVisit_Continue;
}

AstNode read_node(CXCursor cursor) {
  AstNode node;
  node.kind = kind_of(clang_getCursorKind(cursor));
  node.name = text_of(clang_getCursorSpelling(cursor));
  node.type = text_of(clang_getTypeSpelling(clang_getCanonicalType(clang_getCursorType(cursor))));
  const CXSourceRange extent = clang_getCursorExtent(cursor);
  node.begin = offset_of(clang_getRangeStart(extent), &node.in_source);
  node.end = offset_of(clang_getRangeEnd(extent));
  if (node.kind == AstKind::function) fill_function(cursor, node);
  if (node.kind == AstKind::reference) fill_reference(cursor, node);
  if (node.kind == AstKind::variable) {
    node.declared_at = offset_of(clang_getCursorLocation(cursor));
    const CXCursor value = clang_Cursor_getVarDeclInitializer(cursor);
    node.has_value = !clang_Cursor_isNull(value);
  }
  if (node.kind == AstKind::parameter) node.declared_at = offset_of(clang_getCursorLocation(cursor));
  clang_visitChildren(cursor, add_child, &node);
  return node;
}

CXChildVisitResult find_functions(CXCursor cursor, CXCursor, CXClientData data) {
  AstUnit& unit = *static_cast<AstUnit*>(data);
  const CXCursorKind kind = clang_getCursorKind(cursor);
  if (kind == CXCursor_StructDecl) {
    const std::string name = text_of(clang_getCursorSpelling(cursor));
    if (name == "noctune_vector_64") unit.vector_bytes = 64;
    if (name == "noctune_vector_32") unit.vector_bytes = 32;
  }
  if (kind == CXCursor_Namespace || kind == CXCursor_LinkageSpec || kind == CXCursor_UnexposedDecl)
    return CXChildVisit_Recurse;
  if (kind != CXCursor_FunctionDecl || !clang_isCursorDefinition(cursor)) return CXChildVisit_Continue;
  bool in_source = false;
  offset_of(clang_getCursorLocation(cursor), &in_source);
  if (in_source) unit.functions.push_back(read_node(cursor));
  return CXChildVisit_Continue;
}

void read_errors(CXTranslationUnit handle, AstUnit& unit) {
  for (unsigned i = 0; i < clang_getNumDiagnostics(handle); ++i) {
    CXDiagnostic diagnostic = clang_getDiagnostic(handle, i);
    if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error) {
      unsigned line = 0, column = 0;
      clang_getFileLocation(clang_getDiagnosticLocation(diagnostic), nullptr, &line, &column, nullptr);
      unit.errors.push_back(std::to_string(line) + ":" + std::to_string(column) + ": " +
                            text_of(clang_getDiagnosticSpelling(diagnostic)));
    }
    clang_disposeDiagnostic(diagnostic);
  }
}

// GCC's own folder holds omp.h; it comes last so that clang's headers win.
std::vector<std::string> compiler_folders() {
  std::vector<std::string> folders;
  std::error_code error;
  for (const auto& target : std::filesystem::directory_iterator("/usr/lib/gcc", error)) {
    std::error_code inner;
    for (const auto& version : std::filesystem::directory_iterator(target.path(), inner))
      if (std::filesystem::exists(version.path() / "include" / "omp.h", inner))
        folders.push_back((version.path() / "include").string());
  }
  return folders;
}

bool is_understood(const std::string& flag) {
  for (const char* prefix : {"-I", "-D", "-U", "-std=", "-m", "-isystem", "-fopenmp"})
    if (flag.rfind(prefix, 0) == 0) return true;
  return false;
}

bool takes_value(const std::string& flag) {
  return flag == "-I" || flag == "-D" || flag == "-U" || flag == "-isystem";
}

std::vector<std::string> arguments_for(const AstRequest& request) {
  std::vector<std::string> arguments = {"-x",       "c++",     "-std=gnu++17", "-w", "-ferror-limit=20",
                                        "-include", probe_name};
  if (!request.context.empty()) arguments.insert(arguments.end(), {"-include", context_name});
  for (std::size_t i = 0; i < request.flags.size(); ++i) {
    const std::string& flag = request.flags[i];
    if (!is_understood(flag) || flag.rfind("-mprefer", 0) == 0 || flag.rfind("-mtune", 0) == 0) continue;
    arguments.push_back(flag);
    if (takes_value(flag) && i + 1 < request.flags.size()) arguments.push_back(request.flags[++i]);
  }
  for (const std::string& folder : compiler_folders())
    arguments.insert(arguments.end(), {"-idirafter", folder});
  return arguments;
}

}  // namespace

Result<AstUnit> parse_cpp(const AstRequest& request) {
  const std::vector<std::string> arguments = arguments_for(request);
  std::vector<const char*> pointers;
  for (const std::string& argument : arguments) pointers.push_back(argument.c_str());
  CXUnsavedFile files[] = {{source_name, request.source.c_str(), request.source.size()},
                           {context_name, request.context.c_str(), request.context.size()},
                           {probe_name, probe_text, std::char_traits<char>::length(probe_text)}};
  const Index index(clang_createIndex(0, 0));
  CXTranslationUnit handle = nullptr;
  const CXErrorCode code = clang_parseTranslationUnit2(index.get(), source_name, pointers.data(),
                                                       static_cast<int>(pointers.size()), files, 3,
                                                       CXTranslationUnit_KeepGoing, &handle);
  const Unit unit(handle);
  if (code != CXError_Success || !unit)
    return fail("the source could not be parsed", "libclang gave up (code " + std::to_string(code) + ")",
                "check the compiler flags of this hotspot");
  AstUnit result;
  read_errors(unit.get(), result);
  clang_visitChildren(clang_getTranslationUnitCursor(unit.get()), find_functions, &result);
  return result;
}

}  // namespace noctune
