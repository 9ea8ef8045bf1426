// Text -> comments and directives taken out -> tokens -> macros expanded -> declarations -> bodies -> what
// callees do -> launches -> problems.
#include "mep/reading/read_source.hpp"

#include <algorithm>
#include <unordered_set>

#include "mep/reading/callees.hpp"
#include "mep/reading/expand.hpp"
#include "mep/reading/file_reader.hpp"
#include "mep/reading/launches.hpp"
#include "mep/reading/problems.hpp"
#include "mep/reading/words.hpp"

namespace noctune {
namespace {

using namespace reading;

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

std::string language_of(const Prepared& prepared, const std::vector<SourceFunction>& functions) {
  const auto includes = [&](const char* part) {
    return std::any_of(prepared.includes.begin(), prepared.includes.end(),
                       [&](const std::string& include) { return contains(include, part); });
  };
  const std::string& code = prepared.text;
  const bool device = contains(code, "<<<") || contains(code, "__device__") || contains(code, "threadIdx") ||
                      std::any_of(functions.begin(), functions.end(), [](const SourceFunction& function) {
                        return function.kind == SourceFunction::Kind::kernel;
                      });
  if (includes("hip/") || contains(code, "hipLaunchKernel") || contains(code, "hipThreadIdx_") ||
      contains(code, "HIP_DYNAMIC_SHARED"))
    return "hip";
  if (device) return "cuda";
  return includes("omp.h") || contains(code, "#pragma omp") ? "openmp" : "c++";
}

// A call of a small helper is no launch: it works on values, or gives one back without a loop of its own.
void drop_calls_of_helpers(SourceFacts& facts) {
  const auto is_helper = [&](const SourceLaunch& launch) {
    const SourceFunction* callee = facts.function(launch.kernel);
    if (!launch.grid.empty() || callee == nullptr) return false;
    const bool works_on_memory =
        std::any_of(callee->params.begin(), callee->params.end(), [](const SourceParam& param) {
          return param.is_pointer() || param.reference || !is_known_type(param.base);
        });
    return !works_on_memory || (callee->return_type != "void" && callee->loops.empty());
  };
  facts.launches.erase(std::remove_if(facts.launches.begin(), facts.launches.end(), is_helper),
                       facts.launches.end());
}

void read_bodies(const Tokens& tokens, const std::vector<FunctionPlace>& places, SourceFacts& facts) {
  const SourceFacts declared = facts;
  const FileNames names(declared);
  std::vector<PointerCall> calls;
  const bool plain = facts.language != "cuda" && facts.language != "hip";
  for (const FunctionPlace& place : places) {
    SourceFunction& function = facts.functions[place.index];
    BodyReader::Options options;
    options.enclosing = function.name;
    options.calls_are_launches = plain && function.kind == SourceFunction::Kind::host;
    BodyReader reader(tokens, names, function, options);
    reader.bind_params(place.dims);
    reader.read(place.body);
    resolve_shapes(reader.launches, function, reader.dims());
    for (PointerCall& call : reader.pointer_calls) {
      call.caller = place.index;
      calls.push_back(std::move(call));
    }
    facts.launches.insert(facts.launches.end(), reader.launches.begin(), reader.launches.end());
  }
  drop_calls_of_helpers(facts);
  add_accesses_of_callees(facts, calls);
}

// Macros are expanded before bodies are read; whoever lifts a function still needs those it names.
void add_macro_names(const std::vector<Token>& tokens, const Macros& macros, SourceFacts& facts) {
  for (SourceFunction& function : facts.functions) {
    std::unordered_set<std::string> seen(function.names.begin(), function.names.end());
    const auto first = std::lower_bound(tokens.begin(), tokens.end(), function.declaration.begin,
                                        [](const Token& token, std::size_t at) { return token.begin < at; });
    for (auto token = first; token != tokens.end() && token->begin < function.body.end; ++token)
      if (token->kind == Token::Kind::name && macros.count(token->text) && seen.insert(token->text).second)
        function.names.push_back(token->text);
  }
}

SourceFacts read_prepared(const Prepared& prepared) {
  const std::vector<Token> written = lex(prepared.text);
  const Tokens tokens(expand(written, prepared.macros));
  FileFacts file = FileReader(tokens).read();
  SourceFacts facts = std::move(file.facts);
  facts.macros = prepared.listed;
  facts.includes = prepared.includes;
  facts.language = language_of(prepared, facts.functions);
  read_bodies(tokens, file.places, facts);
  const std::vector<SourceLaunch> told = launches_in_comments(prepared.comments, facts, prepared.macros);
  facts.launches.insert(facts.launches.end(), told.begin(), told.end());
  add_macro_names(written, prepared.macros, facts);
  std::set<std::string> macros;
  for (const auto& [name, macro] : prepared.macros) macros.insert(name);
  find_unknowns(file, macros, facts);
  find_problems(prepared.text, facts);
  return facts;
}

}  // namespace

SourceFacts read_source(const std::string& source, const std::map<std::string, std::string>& defines) {
  SourceFacts facts;
  if (find_foreign(source, facts)) return facts;
  facts = read_prepared(prepare(source, defines, false));
  if (facts.functions.empty() && contains(source, "#if"))
    facts = read_prepared(prepare(source, defines, true));
  if (facts.functions.empty() && facts.problems.empty()) {
    SourceProblem problem;
    problem.text =
        "no function with a body was found: hand in the kernel's definition, not only its prototype";
    problem.line = 1;
    problem.fatal = true;
    facts.problems.push_back(problem);
  }
  return facts;
}

std::vector<SourceLaunch> read_call_site(const std::string& snippet, const SourceFacts& facts) {
  if (snippet.size() > (1u << 20)) return {};
  return launches_in(snippet, facts, {}, false);
}

}  // namespace noctune
