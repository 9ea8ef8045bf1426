// A variable is replaced only when no other one's range still depends on it: inner loops before outer ones.
#include "mep/completion/index_bounds.hpp"

#include <algorithm>
#include <cstdlib>

namespace noctune {
namespace {

std::vector<std::string> variables_of(const Polynomial& polynomial) {
  std::vector<std::string> out = polynomial.names();
  out.erase(std::remove_if(out.begin(), out.end(),
                           [](const std::string& name) { return !is_index_variable(name); }),
            out.end());
  return out;
}

bool depends(const IndexRange& range, const std::string& variable) {
  return (range.low && range.low->has(variable)) || (range.high && range.high->has(variable));
}

// "i" of "i@2" and of "~i".
std::string plain_name(const std::string& variable) {
  if (variable[0] == '~') return variable.substr(1);
  return variable.substr(0, variable.find('@'));
}

}  // namespace

IndexRange IndexBounds::range(const std::string& index, const IndexPlace& place) {
  const std::optional<Polynomial> value = polynomial(index, place);
  return value ? range(*value, place) : IndexRange{};
}

IndexRange IndexBounds::range(const Polynomial& polynomial, const IndexPlace& place) {
  return {end_of(polynomial, false, place), end_of(polynomial, true, place)};
}

std::optional<Polynomial> IndexBounds::end_of(const Polynomial& polynomial, bool upper,
                                              const IndexPlace& place) {
  Polynomial value = polynomial;
  for (int round = 0; round < 40; ++round) {
    const std::vector<std::string> variables = variables_of(value);
    if (variables.empty()) return value;
    std::map<std::string, IndexRange> ranges;
    for (const std::string& one : variables) ranges[one] = range_of(one, place);
    const auto free = std::find_if(variables.begin(), variables.end(), [&](const std::string& one) {
      return std::none_of(variables.begin(), variables.end(), [&](const std::string& other) {
        return other != one && depends(ranges[other], one);
      });
    });
    const std::string& chosen = free == variables.end() ? variables.front() : *free;
    const bool rises = compare_typical(value.coefficient(chosen), 0) >= 0;
    const std::optional<Polynomial>& end = rises == upper ? ranges[chosen].high : ranges[chosen].low;
    if (!end || end->has(chosen)) return std::nullopt;
    value = value.with(chosen, *end);
  }
  return std::nullopt;
}

IndexRange IndexBounds::range_of(const std::string& variable, const IndexPlace& place) {
  if (!open_.insert(variable).second) return {};
  IndexRange out;
  const std::size_t mark = variable.find('@');
  if (const Atom* known = atom(variable)) {
    out = known->range;
  } else if (variable[0] == '@') {
    out.low = Polynomial(0);
    out.high = Polynomial::of(largest_value_in(variable.substr(1, variable.find('|') - 1)));
  } else if (mark != std::string::npos && mark > 0) {
    const bool host = variable[mark + 1] == 'h', callee = variable[mark + 1] == 'c';
    const std::size_t number =
        static_cast<std::size_t>(std::atoi(variable.c_str() + mark + (host || callee ? 2 : 1)));
    if (callee && place.callee != nullptr)
      out = callee_loop_range(place.callee->loops[number], place);
    else if (!callee)
      out = loop_range(host ? use().loops[number] : use().function->loops[number], host, number);
  } else if (variable[0] != '~') {
    out = thread_range(variable);
  }
  narrow(out, variable, place);
  if (!out.low && (variable[0] == '~' || variable[0] == '$')) out.low = Polynomial(0);
  open_.erase(variable);
  return out;
}

IndexRange IndexBounds::loop_range(const SourceLoop& loop, bool host, std::size_t number) {
  const IndexPlace before{loop.where.begin > 0 ? loop.where.begin - 1 : 0};
  const auto value = [&](const std::string& text) {
    return host ? host_polynomial(text, number) : polynomial(text, before);
  };
  return loop_ends(loop, value(loop.from), value(loop.to), value(loop.step));
}

IndexRange IndexBounds::callee_loop_range(const SourceLoop& loop, const IndexPlace& place) {
  return loop_ends(loop, polynomial(loop.from, place), polynomial(loop.to, place),
                   polynomial(loop.step, place));
}

IndexRange IndexBounds::loop_ends(const SourceLoop& loop, const std::optional<Polynomial>& from,
                                  const std::optional<Polynomial>& to,
                                  const std::optional<Polynomial>& step) {
  const bool halves = loop.step.rfind("/", 0) == 0 || loop.step.rfind(">>", 0) == 0;
  if (halves && from) must_be_power_of_two(*from);
  if (halves) return {to ? std::optional<Polynomial>(*to + 1) : Polynomial(0), from};
  if (step && step->is_constant() && step->constant() < 0)
    return {to ? std::optional<Polynomial>(*to + 1) : Polynomial(0), from};
  const bool doubles = loop.step.rfind("<<", 0) == 0 || loop.step.rfind('*', 0) == 0;
  if (doubles && to) must_be_power_of_two(*to);
  const bool starts_at_zero = from && from->terms().empty();
  // Tiles: the last one starts a whole step before the end.
  if (step && to && starts_at_zero && to->is_single_name() && !(*step == Polynomial(1))) {
    must_divide(*to, *step);
    return {from, *to - *step};
  }
  return {from, to ? std::optional<Polynomial>(*to - 1) : std::nullopt};
}

void IndexBounds::must_divide(const Polynomial& size, const Polynomial& divisor) {
  if (size.is_single_name() && divisor.is_constant() && divisor.constant() > 1)
    divisors_[size.names()[0]].insert(static_cast<long long>(divisor.constant()));
}

// ---- threads ----

// What the launch says; guards narrow it afterwards.
IndexRange IndexBounds::thread_range(const std::string& variable) {
  const char axis = variable.back();
  const std::size_t number = static_cast<std::size_t>(axis - 'x');
  const auto text = [&](const std::vector<std::string>& texts) -> std::optional<Polynomial> {
    if (texts.empty()) return std::nullopt;
    return number < texts.size() ? host_polynomial(texts[number], use().loops.size()) : Polynomial(1);
  };
  const std::optional<Polynomial> block = text(use().block), grid = text(use().grid);
  if (variable.rfind("threadIdx", 0) == 0)
    return {Polynomial(0), block ? *block - 1 : Polynomial::of(std::string("blockDim.") + axis) - 1};
  if (variable.rfind("blockIdx", 0) == 0) {
    std::optional<Polynomial> high = grid;
    if (!high) {
      const std::optional<Polynomial> threads = guarded_threads(axis);
      if (threads && block) high = (*threads + *block - 1).over(*block);
    }
    return {Polynomial(0), high ? std::optional<Polynomial>(*high - 1) : std::nullopt};
  }
  if (!block || !grid) return {Polynomial(0), std::nullopt};
  return {Polynomial(0), *block * *grid - 1};
}

std::optional<Polynomial> IndexBounds::guarded_threads(char axis) {
  const std::string variable = std::string("$") + axis;
  IndexRange out;
  const IndexPlace end{use().function->body.end};
  if (!open_.insert(variable).second) return std::nullopt;
  narrow(out, variable, end);
  open_.erase(variable);
  if (!out.high) return std::nullopt;
  const std::optional<Polynomial> high = end_of(*out.high, true, end);
  return high ? std::optional<Polynomial>(*high + 1) : std::nullopt;
}

// ---- guards ----

std::vector<CComparison> IndexBounds::certain(const IndexPlace& place) const {
  std::vector<CComparison> out;
  const auto add = [&](const std::string& condition) {
    const std::optional<CExpression> parsed = parse_c_expression(condition);
    if (!parsed) return;
    const std::vector<CComparison> terms = comparisons_in(*parsed);
    out.insert(out.end(), terms.begin(), terms.end());
  };
  add(place.guard);
  for (const std::string& guard : use().function->guards)
    if (guard.rfind("!(", 0) == 0) add(guard);
  for (const SourceLoop& loop : use().function->loops)
    if (loop.to.empty() && loop.where.begin <= place.at && place.at < loop.where.end) add(loop.condition);
  if (place.callee != nullptr)
    for (const std::string& guard : place.callee->guards)
      if (guard.rfind("!(", 0) == 0) add(guard);
  return out;
}

std::vector<CComparison> IndexBounds::possible() const {
  std::vector<CComparison> out;
  for (const std::string& guard : use().function->guards) {
    const std::optional<CExpression> parsed = parse_c_expression(guard);
    if (!parsed) continue;
    const std::vector<CComparison> terms = comparisons_in(*parsed);
    out.insert(out.end(), terms.begin(), terms.end());
  }
  return out;
}

// Guards certainly around the place narrow a range; where nothing else says, the widest of all guards does.
void IndexBounds::narrow(IndexRange& range, const std::string& variable, const IndexPlace& place) {
  for (const CComparison& one : certain(place)) narrow_by(range, variable, one, place, false);
  // "if (from < 0) from = 0" says nothing about what from is elsewhere.
  if (range.high || variable[0] == '~') return;
  const std::vector<CComparison> others = possible();
  IndexRange widest;
  for (const CComparison& one : others) narrow_by(widest, variable, one, place, true);
  range.high = widest.high;
}

// An end that is ruled out moves by one.
void IndexBounds::exclude(IndexRange& range, const Polynomial& value) {
  if (range.low && *range.low == value) range.low = value + 1;
  if (range.high && *range.high == value) range.high = value - 1;
}

void IndexBounds::narrow_by(IndexRange& range, const std::string& variable, const CComparison& comparison,
                            const IndexPlace& place, bool widest) {
  const std::vector<std::string> names = [&] {
    std::vector<std::string> out = names_of(comparison.left), right = names_of(comparison.right);
    out.insert(out.end(), right.begin(), right.end());
    return out;
  }();
  const std::string plain = plain_name(variable);
  const bool loop_variable = variable.find('@') != std::string::npos && variable[0] != '@';
  if (loop_variable && std::find(names.begin(), names.end(), plain) == names.end()) {
    const bool through_local = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return std::any_of(use().function->locals.begin(), use().function->locals.end(),
                         [&](const SourceLocal& one) { return one.name == name; });
    });
    if (!through_local) return;
  }
  const std::optional<Polynomial> left = polynomial(comparison.left, place);
  const std::optional<Polynomial> right = polynomial(comparison.right, place);
  if (!left || !right) return;
  // left - right <= slack
  const Polynomial difference = *left - *right;
  const Polynomial factor = difference.coefficient(variable);
  if (factor.terms().empty() || !factor.is_constant()) return;
  const Polynomial slack(comparison.op == "<" ? -1 : 0);
  const std::optional<Polynomial> end = (slack - difference.without(variable)).over(factor);
  if (!end) return;
  if (comparison.op == "!=") {
    if (!widest) exclude(range, *end);
    return;
  }
  const bool same = comparison.op == "==";
  const auto take = [&](std::optional<Polynomial>& old, bool upper) {
    const std::optional<Polynomial> now = end_of(*end, upper, place);
    const std::optional<Polynomial> before = old ? end_of(*old, upper, place) : std::nullopt;
    if (!now) return;
    if (!before || (compare_typical(*now, *before) < 0) == (upper != widest)) old = *end;
  };
  if (factor.constant() > 0 || same) take(range.high, true);
  if (factor.constant() < 0 || same) take(range.low, false);
}

}  // namespace noctune
