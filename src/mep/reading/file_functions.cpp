// Heads of functions: what kind they are, how they are called, what they take.
#include <algorithm>

#include "mep/reading/file_reader.hpp"
#include "mep/reading/words.hpp"

namespace noctune::reading {
namespace {

constexpr std::size_t most_functions = 20000;

SourceFunction::Kind kind_of(const std::set<std::string>& words) {
  if (words.count("__global__")) return SourceFunction::Kind::kernel;
  return words.count("__device__") ? SourceFunction::Kind::device : SourceFunction::Kind::host;
}

// Whether the return type's tokens are a declaration at all: "if (x) {" and "MACRO(x) {" are none.
bool may_be_function(const std::string& name) {
  return !name.empty() && !is_keyword(name);
}

}  // namespace

// The name in front of the parameters; empty where a macro that nobody knows makes it.
std::string FileReader::pasted_name(std::size_t params) const {
  std::size_t at = params;
  if (at == 0) return "";
  if (tokens_.is(at - 1, ">")) {
    const std::size_t angle = tokens_.angle_open(at - 1);
    if (angle != nowhere && angle > 0) at = angle;  // a specialisation
  }
  if (!tokens_.is_name(at - 1)) return "";
  std::string name = tokens_[at - 1].text;
  for (std::size_t i = at - 1; i >= 2 && tokens_.is(i - 1, "::") && tokens_.is_name(i - 2); i -= 2)
    name = tokens_[i - 2].text + "::" + name;
  return name;
}

void FileReader::function(Span head, std::size_t params, std::size_t open, const Templates& templates,
                          const std::string& owner) {
  if (out_.facts.functions.size() >= most_functions) return;
  SourceFunction function;
  std::size_t at = head.begin;
  while (tokens_.is(at, "template") && tokens_.is(at + 1, "<") && tokens_.angle_close(at + 1) != nowhere)
    at = tokens_.angle_close(at + 1) + 1;
  std::size_t name_at = at;
  const Declaration declaration = read_specifiers(tokens_, {at, params}, name_at);
  const std::string name = pasted_name(params);
  const bool is_kernel = declaration.words.count("__global__") > 0;
  if (name.empty() && (is_kernel || (tokens_.is(params - 1, ")") && !declaration.base.empty())))
    problem(
        "the name of a function is made by a macro that is not in the source: add the macro's definition, or "
        "write the name out",
        params, true);
  if (!may_be_function(name)) return;
  function.kind = kind_of(declaration.words);
  function.name = owner.empty() ? name : owner + "::" + name;
  function.return_type = declaration.base;
  function.templates = templates.params;
  function.launch_bounds = declaration.launch_bounds;
  for (std::size_t i = params; i < open && function.launch_bounds.empty(); ++i)
    if (tokens_.is(i, "__launch_bounds__"))
      function.launch_bounds = tokens_.text({i + 2, tokens_.close(i + 1)});
  function.is_static = declaration.words.count("static") > 0;
  function.c_linkage = has_c_linkage({head.begin, params});
  use_types(declaration, templates.params);
  FunctionPlace place;
  read_params(function, {params + 1, tokens_.close(params)}, place.dims);
  function.declaration = tokens_.range({head.begin, open + 1});
  function.declaration.end = tokens_[open].begin;
  function.body = tokens_.range({open, tokens_.past(open)});
  place.index = out_.facts.functions.size();
  place.body = {open + 1, tokens_.close(open)};
  const std::size_t qualified = function.name.rfind("::");
  place.owner = qualified == std::string::npos ? "" : function.name.substr(0, qualified);
  if (SourceStruct* made = owner.empty() ? nullptr : find_struct(owner)) made->plain = false;
  out_.facts.functions.push_back(std::move(function));
  out_.places.push_back(std::move(place));
}

void FileReader::read_params(SourceFunction& function, Span span, std::vector<int>& dims) {
  if (span.size() == 1 && tokens_.is(span.begin, "void")) return;
  for (const Span& part : tokens_.split(span)) {
    const Declaration declaration = read_declaration(tokens_, part);
    if (declaration.base.empty()) continue;
    use_types(declaration, function.templates);
    SourceParam param = param_of(declaration, true);
    const Span initial = declaration.declarators.empty() ? Span{} : declaration.declarators.front().initial;
    if (!initial.empty() && tokens_.is(initial.begin - 1, "(")) {
      // "real POLYBENCH_2D(A, N, M)": a macro that is not at hand declares the parameter.
      problem("the parameter " + tokens_.text(part) + " of " + function.name +
                  " is declared by a macro that is not in the source: add the macro's definition",
              part.begin, false, function.name);
      param.name = tokens_.split_texts(initial).front();
      ++param.pointers;
      param.type += "*";
    }
    dims.push_back(declaration.declarators.empty()
                       ? param.pointers
                       : std::max(declaration.declarators.front().dims(), param.pointers));
    function.params.push_back(param);
  }
}

void FileReader::prototype(Span span, std::size_t params) {
  const std::string name = pasted_name(params);
  if (name.empty()) return;
  std::size_t at = span.begin;
  const Declaration declaration = read_specifiers(tokens_, {span.begin, params}, at);
  // "MACRO(x);" declares nothing, "float4 x(1, 2);" a variable like a function.
  if (declaration.base.empty() || declaration.base == name) return;
  out_.known_names.insert(name);
  if (has_c_linkage({span.begin, params})) out_.c_prototypes.insert(name);
}

}  // namespace noctune::reading
