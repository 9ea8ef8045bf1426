// What goes is blanked, so that the lines of the rest stay those that the user knows.
#include "mep/completion/isolate_source.hpp"

#include <algorithm>
#include <regex>
#include <sstream>

#include "mep/completion/entry_params.hpp"
#include "mep/completion/text_words.hpp"
#include "mep/entry_source.hpp"

namespace noctune {
namespace {

void blank(std::string& text, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end && i < text.size(); ++i)
    if (text[i] != '\n') text[i] = ' ';
}

bool known_header(const std::string& include, const std::string& backend) {
  static const std::set<std::string> standard = {
      "math.h",    "stdio.h",  "stdlib.h",  "stdint.h",    "stddef.h", "string.h",   "float.h",    "limits.h",
      "stdbool.h", "assert.h", "complex.h", "cmath",       "cstdio",   "cstdlib",    "cstdint",    "cstddef",
      "cstring",   "cfloat",   "climits",   "cassert",     "complex",  "algorithm",  "array",      "vector",
      "limits",    "utility",  "numeric",   "type_traits", "atomic",   "functional", "tuple",      "iostream",
      "iomanip",   "string",   "chrono",    "random",      "memory",   "map",        "immintrin.h"};
  const std::string name = include.size() > 2 ? include.substr(1, include.size() - 2) : include;
  if (standard.count(name) > 0) return true;
  if (backend == "openmp") return name == "omp.h";
  return name.rfind("cuda", 0) == 0 || name.rfind("hip/", 0) == 0 || name == "cooperative_groups.h" ||
         name == "mma.h" || name == "vector_types.h";
}

// Lines "#include ..." of what is not there.
void drop_includes(std::string& text, const std::string& backend) {
  static const std::regex include(R"(^[ \t]*#[ \t]*include[ \t]*(<[^>\n]*>|"[^"\n]*")[^\n]*)",
                                  std::regex::ECMAScript | std::regex::multiline);
  const std::string before = text;
  for (std::sregex_iterator i(before.begin(), before.end(), include), end; i != end; ++i)
    if (!known_header((*i)[1], backend))
      blank(text, static_cast<std::size_t>(i->position()),
            static_cast<std::size_t>(i->position() + i->length()));
}

// Headers that the text needs and has lost or never had.
std::string missing_headers(const std::string& text, const std::string& backend) {
  std::string out;
  const auto add = [&](const char* header, const char* pattern) {
    if (text.find(std::string("<") + header + ">") == std::string::npos &&
        std::regex_search(text, std::regex(pattern)))
      out += std::string("#include <") + header + ">\n";
  };
  if (backend == "openmp") {
    add("cmath", R"(std::(?:sqrt|exp|log|pow|sin|cos|tan|abs|fabs|fmax|fmin|floor|ceil|hypot|cbrt)\b)");
    if (text.find("<cmath>") == std::string::npos)
      add("math.h",
          R"(\b(?:sqrt|exp|log|log2|pow|sin|cos|tan|fabs|fmax|fmin|floor|ceil|hypot|cbrt|tanh|rint|erf)f?\s*\()");
    add("omp.h", R"(\bomp_\w+\s*\()");
  }
  add("stdint.h", R"(\bu?int(?:8|16|32|64)_t\b)");
  add("stddef.h", R"(\bsize_t\b|\bptrdiff_t\b)");
  add("string.h", R"(\bmem(?:cpy|set|move)\s*\()");
  add("algorithm", R"(std::(?:min|max|swap|fill|copy|sort|clamp)\b)");
  return out;
}

class Isolator {
 public:
  explicit Isolator(CompletionState& state) : state_(state), text_(state.input.source) {}

  Result<void> run() {
    drop_includes(text_, state_.input.backend);
    drop_functions();
    drop_extern();
    if (needs_context()) make_context();
    const Result<std::string> entry = entry_source(state_.draft.spec);
    if (!entry) return Failure(entry.error());
    std::string head = missing_headers(text_, state_.input.backend);
    if (text_.empty() || text_.back() != '\n') text_ += '\n';
    state_.draft.original = head + text_ + wrappers() + (entry->empty() ? "" : "\n" + *entry);
    return {};
  }

 private:
  void drop_functions() {
    for (const SourceFunction& one : state_.facts.functions)
      if (state_.needed.count(one.name) == 0) blank(text_, one.declaration.begin, one.body.end);
  }

  // What another unit defines is defined here, for <entry>_setup to fill.
  void drop_extern() {
    for (const SourceSymbol& symbol : state_.facts.symbols) {
      if (!symbol.is_extern || symbol.extents == std::vector<std::string>{""}) continue;
      const std::size_t at = find_word(text_, "extern", symbol.where.begin);
      if (at != std::string::npos && at < symbol.where.end) blank(text_, at, at + 6);
    }
  }

  bool is_struct(const std::string& type) const {
    return std::any_of(state_.facts.structs.begin(), state_.facts.structs.end(),
                       [&](const SourceStruct& one) { return holds_word(type, one.name); });
  }

  bool needs_context() const {
    const auto uses_struct = [&](const ParamSpec& param) { return is_struct(param.type); };
    const MepSpec& spec = state_.draft.spec;
    return std::any_of(spec.params.begin(), spec.params.end(), uses_struct) ||
           std::any_of(spec.globals.begin(), spec.globals.end(), uses_struct);
  }

  // The structs move: driver and candidates must see the same ones.
  void make_context() {
    std::string out;
    for (const SourceMacro& macro : state_.facts.macros)
      if (!macro.function_like && used_by_structs(macro.name))
        out += "#define " + macro.name + " " + macro.value + "\n";
    for (const SourceAlias& alias : state_.facts.aliases)
      if (used_by_structs(alias.name)) out += "typedef " + alias.type + " " + alias.name + ";\n";
    for (const SourceStruct& one : state_.facts.structs) {
      out += state_.input.source.substr(one.where.begin, one.where.end - one.where.begin);
      out += out.back() == ';' ? "\n" : ";\n";
      blank(text_, one.where.begin, one.where.end);
    }
    state_.draft.context = out + "\n" + prototype("");
    if (!state_.draft.spec.globals.empty()) state_.draft.context += prototype("_setup");
  }

  bool used_by_structs(const std::string& name) const {
    return std::any_of(
        state_.facts.structs.begin(), state_.facts.structs.end(), [&](const SourceStruct& one) {
          return holds_word(state_.input.source.substr(one.where.begin, one.where.end - one.where.begin),
                            name);
        });
  }

  std::string prototype(const std::string& suffix) const {
    std::string list;
    for (const ParamSpec& param : state_.draft.spec.params)
      list += (list.empty() ? "" : ", ") + param.type + " " + param.name;
    const bool gpu = state_.input.backend != "openmp";
    if (gpu) list += std::string(list.empty() ? "" : ", ") + "mep_stream_t stream";
    return "extern \"C\" void " + state_.draft.spec.entry + suffix + "(" + list + ");\n";
  }

  // The entry stands outside of the kernels' namespaces.
  std::string wrappers() const {
    std::set<std::string> names;
    for (const SourceFunction* kernel : state_.chosen.kernels) {
      const std::string name = namespace_around(kernel->declaration.begin);
      if (!name.empty()) names.insert(name);
    }
    std::string out;
    for (const std::string& name : names) out += "using namespace " + name + ";\n";
    return out;
  }

  // "a::b" of "namespace a { namespace b {" that are open at a place; anonymous ones need no word.
  std::string namespace_around(std::size_t place) const {
    static const std::regex head(R"(\bnamespace\s+(\w+(?:::\w+)*)\s*\{)");
    const std::string before = state_.input.source.substr(0, place);
    std::string out;
    for (std::sregex_iterator i(before.begin(), before.end(), head), end; i != end; ++i) {
      int open = 1;
      for (std::size_t at = static_cast<std::size_t>(i->position() + i->length());
           at < before.size() && open > 0; ++at)
        open += before[at] == '{' ? 1 : before[at] == '}' ? -1 : 0;
      if (open > 0) out += (out.empty() ? "" : "::") + (*i)[1].str();
    }
    return out;
  }

  CompletionState& state_;
  std::string text_;
};

}  // namespace

std::set<std::string> needed_functions(const SourceFacts& facts, const ChosenKernels& chosen) {
  std::set<std::string> out;
  std::vector<const SourceFunction*> open(chosen.kernels.begin(), chosen.kernels.end());
  while (!open.empty()) {
    const SourceFunction* function = open.back();
    open.pop_back();
    if (!out.insert(function->name).second) continue;
    for (const SourceFunction& one : facts.functions)
      if (contains(function->calls, one.name)) open.push_back(&one);
  }
  return out;
}

Result<void> isolate_source(CompletionState& state) {
  return Isolator(state).run();
}

}  // namespace noctune
