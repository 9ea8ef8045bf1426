// What a tolerant reader understood of an isolated kernel source: text only, nothing compiled. Everything is
// as written in the source, with single spaces; offsets are bytes of the source that was read.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace noctune {

struct TextRange {
  std::size_t begin = 0, end = 0;  // [begin, end); both 0 = nowhere
  int line = 0;                    // of begin, from 1
};

struct SourceParam {
  std::string name;
  std::string type;  // whole, without the name: "const float* __restrict__", "double (*)[3]", "Domain"
  std::string base;  // without pointers, references, qualifiers: "float", "Domain", "T"
  int pointers = 0;  // levels; an array parameter counts as one
  bool reference = false;
  bool const_base = false;           // what it points to may not be written
  std::vector<std::string> extents;  // array parameters and pointers to arrays: "N", "3"; "" where empty
  bool is_pointer() const { return pointers > 0; }
};

struct TemplateParam {
  std::string kind;  // "typename" or a type such as "int", "bool"
  std::string name;
  std::string default_value;
};

// How often and at which places a function touches what a pointer parameter (or a symbol) points to.
struct SourceAccess {
  enum class Kind { read, write, update, atomic };  // update: "+=" and the like, "++"
  Kind kind = Kind::read;
  std::string array;   // the parameter's or the symbol's name, also where it is reached through an alias
  std::string index;   // text inside [], "0" for *p; several dimensions as "i][j"; "?" where it is unclear
  std::string member;  // "x" for p[i].x, p->x; empty otherwise
  TextRange where;
  int loop_depth = 0;  // loops of the function around it
  std::string guard;   // innermost if condition around it; empty = none
  std::string callee;  // the pointer is handed to this function, which touches it; empty otherwise
};

struct SourceLoop {
  std::string variable, from, to, step;  // for (v = from; v < to; v += step); `to` excludes, texts
  std::string condition;                 // as written
  int depth = 0;
  TextRange where;
};

// A value that a local name gets once, so that index texts can be expanded: "i" = "blockIdx.x * blockDim.x +
// threadIdx.x".
struct SourceLocal {
  std::string type, name, value;
  bool assigned_again = false;
  TextRange where;
};

struct SharedArray {
  std::string type, name;
  std::vector<std::string> extents;  // [""] for extern __shared__
  bool dynamic = false;
};

struct SourceFunction {
  enum class Kind { kernel, device, host };  // device: __device__, also with __host__; host: anything else
  Kind kind = Kind::host;
  std::string name;  // "Class::f" for what belongs to a class
  std::string return_type;
  std::vector<TemplateParam> templates;
  std::vector<std::string> instances;  // of explicit instantiations: "float, 256"
  std::vector<SourceParam> params;
  std::string launch_bounds;  // "256, 2"
  bool c_linkage = false, is_static = false;
  bool has_pragma_omp = false;
  TextRange declaration;  // from template<...> or the first specifier to the body's brace
  TextRange body;         // with its braces
  std::vector<SourceAccess> accesses;
  std::vector<SourceLoop> loops;
  std::vector<SourceLocal> locals;
  std::vector<std::string> guards;  // conditions of ifs, and of ifs that return at once negated as "!(...)"
  std::vector<std::string> calls;   // names called, in order, each once
  std::vector<std::string> names;   // free names: neither params, locals, members nor C++ words
  std::vector<SharedArray> shared;
  bool uses_block_size = false;  // blockDim
  bool barriers = false, atomics = false, warp_intrinsics = false, cooperative_groups = false;
};

// A launch, kernel<<<...>>>(...), hipLaunchKernelGGL(...), or in an OpenMP source a call of one of its
// functions; also found in comments and in call-site snippets.
struct SourceLaunch {
  std::string kernel;
  std::string templates;                          // "float, 256"
  std::string grid, block, shared_bytes, stream;  // texts as written; empty where absent
  std::vector<std::string> args;
  std::vector<SourceLoop> loops;  // of the host code around it, outermost first; `while` has only a condition
  bool in_comment = false, in_snippet = false;
  TextRange where;
  std::string enclosing;  // host function; empty in comments and snippets
};

struct SourceField {
  std::string type, base, name;
  int pointers = 0;
  std::vector<std::string> extents;
};
struct SourceStruct {
  std::string name;
  std::vector<SourceField> fields;
  bool plain = true;  // no methods, bases, virtuals or initialisers that C would not have
  TextRange where;
};

struct SourceMacro {
  std::string name, value;
  bool function_like = false;
  TextRange where;
};
struct SourceAlias {
  std::string name, type;  // typedef float real; using real = float;
  TextRange where;
};

// A variable at file scope.
struct SourceSymbol {
  enum class Space { constant, device, host, texture };
  Space space = Space::host;
  std::string type, name, initial;
  std::vector<std::string> extents;
  bool is_const = false, is_extern = false;
  TextRange where;
};

struct SourceProblem {
  std::string text;  // what is off, for people: "texture references are gone since CUDA 12"
  int line = 0;
  bool fatal = false;         // no MEP can be made of this without a person
  std::string function = {};  // that it concerns; empty = the whole source
};

struct SourceFacts {
  std::string language;  // "cuda", "hip", "openmp" or "c++"
  std::vector<SourceFunction> functions;
  std::vector<SourceLaunch> launches;
  std::vector<SourceStruct> structs;
  std::vector<SourceMacro> macros;
  std::vector<SourceAlias> aliases;
  std::vector<SourceSymbol> symbols;
  std::vector<std::string> includes;       // "<cstdio>", "\"domain.h\""
  std::vector<std::string> unknown_types;  // used and neither declared here nor of C++, CUDA or HIP
  std::vector<std::string> unknown_names;  // likewise: constants and functions
  std::vector<SourceProblem> problems;

  const SourceFunction* function(const std::string& name) const {
    for (const SourceFunction& one : functions)
      if (one.name == name) return &one;
    return nullptr;
  }
};

}  // namespace noctune
