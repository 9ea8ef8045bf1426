#include "mep/completion/value_patterns.hpp"

#include <algorithm>
#include <regex>

#include "mep/completion/text_words.hpp"

namespace noctune {
namespace {

InitSpec range(InitSpec::Kind kind, double low, double high) {
  InitSpec out;
  out.kind = kind;
  out.low = low;
  out.high = high;
  return out;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '.' ? std::string("(?:\\.|->)") : std::string(1, c);
  return out;
}

// The text of one use's function and of all it calls, with the buffer's name there.
struct Use {
  std::string name;  // the parameter's name in this function
  std::string text;
  const SourceFunction* function;
};

std::vector<Use> uses_of(const CompletionState& state, const std::string& buffer) {
  std::vector<Use> out;
  const std::string head = buffer.substr(0, buffer.find('.')), tail = buffer.substr(head.size());
  for (const KernelUse& use : state.schedule.uses)
    for (const SourceParam& param : use.function->params) {
      if (use.argument(param.name) != head) continue;
      const TextRange& body = use.function->body;
      out.push_back(
          {param.name + tail, state.input.source.substr(body.begin, body.end - body.begin), use.function});
    }
  return out;
}

bool matches(const std::string& text, const std::string& pattern) {
  return std::regex_search(text, std::regex(pattern));
}

// Names of locals whose value reads the buffer itself: "const double pr = prs[i]".
std::vector<std::string> copies_of(const Use& use) {
  std::vector<std::string> out;
  for (const SourceLocal& local : use.function->locals)
    if (local.value.find(use.name + "[") != std::string::npos && !local.name.empty())
      out.push_back(local.name);
  return out;
}

const char* const subscript = R"(\s*\[[^\]]*\])";

bool is_divisor(const Use& use) {
  const std::string element = escaped(use.name) + subscript;
  if (matches(use.text, R"(/\s*\(?\s*)" + element)) return true;
  const std::vector<std::string> copies = copies_of(use);
  return std::any_of(copies.begin(), copies.end(), [&](const std::string& copy) {
    return matches(use.text, R"(/\s*\(?\s*\b)" + copy + R"(\b)");
  });
}

// From behind an opening bracket to its partner.
std::string in_brackets(const std::string& text, std::size_t begin) {
  std::size_t end = begin;
  for (int open = 1; end < text.size(); ++end) {
    if (text[end] == '(') ++open;
    if (text[end] == ')' && --open == 0) break;
  }
  return text.substr(begin, end - begin);
}

// Squares under a root are never negative.
bool is_under_root(const Use& use) {
  static const std::regex root(R"(\b(?:r?sqrtf?|__f?rsqrt\w*|log[f2]?|logf|log10f?|powf?)\s*\()");
  std::vector<std::string> words = copies_of(use);
  for (std::sregex_iterator i(use.text.begin(), use.text.end(), root), end; i != end; ++i) {
    const std::string argument = in_brackets(use.text, static_cast<std::size_t>(i->position() + i->length()));
    if (matches(argument, escaped(use.name) + subscript) &&
        !matches(argument, escaped(use.name) + subscript + R"(\s*\*\s*)" + escaped(use.name)))
      return true;
    for (const std::string& word : words)
      if (holds_word(argument, word) && !matches(argument, "\\b" + word + R"(\s*\*\s*)" + word + "\\b"))
        return true;
  }
  return false;
}

// "1 / (b[i] - a[i] * w)": a pivot that must not vanish.
bool is_pivot(const Use& use) {
  const std::string element = escaped(use.name) + subscript;
  return matches(use.text, R"(/\s*\(\s*)" + element + R"(\s*-)") &&
         !matches(use.text, R"(/\s*\(\s*)" + element + R"(\s*-\s*)" + element);
}

bool named_positive(const std::string& name) {
  const std::string lower = in_lower_case(name.substr(name.rfind('.') + 1));
  for (const char* part :
       {"rho", "dens", "mass", "volume", "energy", "pressure", "prs", "temper", "area", "weight", "width"})
    if (lower.rfind(part, 0) == 0 || (std::string(part).size() > 4 && lower.find(part) != std::string::npos))
      return true;
  return false;
}

bool named_flag(const std::string& name) {
  const std::string lower = in_lower_case(name.substr(name.rfind('.') + 1));
  for (const char* part :
       {"mask", "flag", "obstacle", "active", "visited", "frontier", "alive", "is_", "valid"})
    if (lower.find(part) != std::string::npos) return true;
  return false;
}

bool mentions(const CompletionState& state, std::initializer_list<const char*> parts) {
  for (const KernelUse& use : state.schedule.uses) {
    const std::string lower = in_lower_case(use.function->name);
    for (const char* part : parts)
      if (lower.find(part) != std::string::npos) return true;
  }
  return false;
}

// The matrix's own diagonal divides it, or a root is taken of it.
std::string factorisation(const CompletionState& state, const std::vector<Use>& uses, Role role) {
  if (role != Role::inout) return {};
  if (mentions(state, {"gram", "schmidt", "_qr", "qr_", "householder", "gs_"})) return "well_conditioned";
  for (const Use& use : uses) {
    const std::string element = escaped(use.name) + subscript;
    if (matches(use.text, R"(sqrtf?\s*\(\s*)" + element)) return "spd";
    if (matches(use.text, element + R"(\s*/\s*)" + element) ||
        matches(use.text, element + R"(\s*/=\s*)" + element))
      return "dominant";
  }
  return mentions(state, {"cholesky", "chol_"}) ? "spd" : "";
}

std::optional<ValuePattern> matrix(CompletionState& state, const std::string& name, const std::string& kind,
                                   const Polynomial& count, const std::string& why) {
  // rows * cols, as the count's one term has them.
  std::vector<std::string> factors;
  if (count.terms().size() != 1 || count.terms().begin()->second != 1) return std::nullopt;
  for (const auto& [factor, exponent] : count.terms().begin()->first)
    for (int i = 0; i < exponent; ++i) factors.push_back(factor);
  if (factors.size() != 2) return std::nullopt;
  DataSpec data;
  data.name = "matrix_" + name;
  data.gen = "matrix";
  data.fields = {{"rows", factors[0]}, {"cols", factors[1]}, {"kind", kind}};
  state.spec().data.push_back(data);
  ValuePattern out;
  out.init.kind = InitSpec::Kind::joint;
  out.init.part = data.name + ".values";
  out.why = why;
  return out;
}

// Read at the middle of an interval, in a loop without a counter.
bool searched(const CompletionState& state, const std::string& name) {
  static const std::regex halves(R"((?:>>\s*1|/\s*2))");
  for (const ArrayAccess* one : state.accesses.of(name)) {
    const SourceFunction* function = state.schedule.uses[one->use].function;
    if (!one->source->callee.empty()) function = state.facts.function(one->source->callee);
    if (function == nullptr) continue;
    const bool open_loop = std::any_of(function->loops.begin(), function->loops.end(),
                                       [](const SourceLoop& loop) { return loop.to.empty(); });
    std::string index = one->source->index;
    for (const SourceLocal& local : function->locals)
      if (local.name == index) index = local.value;
    if (open_loop && std::regex_search(index, halves)) return true;
  }
  return false;
}

std::optional<ValuePattern> whole_number_values(CompletionState& state, const std::string& name, Role role,
                                                const Polynomial& count) {
  using Kind = InitSpec::Kind;
  if (named_flag(name)) return ValuePattern{range(Kind::integers, 0, 1), "flags by its name"};
  if (role != Role::inout) return std::nullopt;
  if (mentions(state, {"floyd", "apsp", "shortest"}))
    return matrix(state, name, "distances", count, "distances of a graph, by the kernel's name");
  if (mentions(state, {"sort", "bitonic", "radix", "merge"}))
    return ValuePattern{range(Kind::integers, 0, 1e6), "keys to be sorted"};
  return std::nullopt;
}

}  // namespace

std::optional<ValuePattern> values_for(CompletionState& state, const std::string& name, Role role,
                                       bool whole_numbers, const Polynomial& count) {
  using Kind = InitSpec::Kind;
  const std::vector<Use> uses = uses_of(state, name);
  const auto any = [&](auto test) { return std::any_of(uses.begin(), uses.end(), test); };
  if (searched(state, name)) {
    ValuePattern sorted{range(Kind::sorted, 0, whole_numbers ? 1e6 : 1),
                        "sorted, since it is searched by halves"};
    return sorted;
  }
  if (whole_numbers) {
    if (any(is_divisor)) return ValuePattern{range(Kind::integers, 1, 9), "divisors must not be 0"};
    return whole_number_values(state, name, role, count);
  }
  if (const std::string kind = factorisation(state, uses, role); !kind.empty())
    if (std::optional<ValuePattern> found =
            matrix(state, name, kind, count, kind + " matrix, since it is factorised in place"))
      return found;
  if (any(is_pivot)) return ValuePattern{range(Kind::uniform, 3, 4), "pivots that outweigh their neighbours"};
  if (any(is_divisor))
    return ValuePattern{range(Kind::uniform, 0.5, 1.5), "positive, since something is divided by it"};
  if (any(is_under_root))
    return ValuePattern{range(Kind::uniform, 0.5, 1.5), "positive, since a root or logarithm is taken"};
  if (named_positive(name)) return ValuePattern{range(Kind::uniform, 0.5, 1.5), "positive, by its name"};
  return std::nullopt;
}

}  // namespace noctune
