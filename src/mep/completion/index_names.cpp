#include "mep/completion/index_names.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

#include "mep/completion/text_words.hpp"

namespace noctune {
namespace {

using Kind = CExpression::Kind;
constexpr int deepest = 24;  // locals of locals of locals

bool thread_word(const std::string& name) {
  for (const char* word : {"threadIdx.", "blockIdx.", "blockDim.", "gridDim."})
    if (name.rfind(word, 0) == 0) return true;
  return false;
}

bool has_variable(const Polynomial& polynomial) {
  const std::vector<std::string> names = polynomial.names();
  return std::any_of(names.begin(), names.end(), is_index_variable);
}

// "IDX(i, j)" of a definition that starts at `at`.
std::vector<std::string> macro_parameters(const std::string& source, const std::string& name,
                                          std::size_t at) {
  const std::size_t open = source.find(name + "(", at);
  if (open == std::string::npos) return {};
  const std::size_t begin = open + name.size() + 1, end = source.find(')', begin);
  if (end == std::string::npos) return {};
  std::vector<std::string> out = split_outside_brackets(source.substr(begin, end - begin), ",");
  for (std::string& one : out) {
    one.erase(std::remove_if(one.begin(), one.end(), [](char c) { return c == ' ' || c == '\t'; }),
              one.end());
  }
  return out;
}

// NX = 430 stays NX, so that extents read as the source does; block and tile sizes become numbers.
bool names_a_size(const std::string& name, const std::string& value) {
  for (const char* part : {"BLOCK", "TILE", "THREAD", "WARP", "WAVE", "UNROLL", "BS"})
    if (name.find(part) != std::string::npos) return false;
  return is_number(value) && value.find('.') == std::string::npos && std::atof(value.c_str()) >= 64;
}

CExpression replaced(const CExpression& expression, const std::vector<std::string>& parameters,
                     const std::vector<CExpression>& arguments) {
  if (expression.kind == Kind::name)
    for (std::size_t i = 0; i < parameters.size() && i < arguments.size(); ++i)
      if (expression.text == parameters[i]) return arguments[i];
  CExpression out = expression;
  for (CExpression& part : out.parts) part = replaced(part, parameters, arguments);
  return out;
}

// "{ return a + b; }" gives "a + b".
std::string single_return(const std::string& body) {
  const std::size_t begin = body.find("return"), end = body.find(';');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return {};
  if (body.find_first_not_of("{ \t\n") != begin) return {};
  return body.substr(begin + 6, end - begin - 6);
}

}  // namespace

std::optional<Polynomial> IndexNames::polynomial(const std::string& text, const IndexPlace& place) {
  const std::optional<CExpression> parsed = parse_c_expression(text);
  if (!parsed) return std::nullopt;
  return polynomial(*parsed, place);
}

std::optional<Polynomial> IndexNames::polynomial(const CExpression& expression, const IndexPlace& place) {
  if (depth_ > deepest) return std::nullopt;
  ++depth_;
  std::optional<Polynomial> out;
  switch (expression.kind) {
    case Kind::number:
      out = Polynomial(expression.number);
      break;
    case Kind::name:
      out = in_host_ ? host_name(expression.text) : name(expression.text, place);
      break;
    case Kind::index:
      out = element(expression, place);
      break;
    case Kind::call:
      out = call(expression, place);
      break;
    case Kind::unary:
      out = polynomial(expression.parts[0], place);
      if (out && expression.text == "-") out = Polynomial(0) - *out;
      if (out && expression.text == "!") out = either(0, 1, place);
      if (expression.text == "~") out = std::nullopt;
      break;
    case Kind::binary:
      out = binary(expression, place);
      break;
    case Kind::ternary: {
      const std::optional<Polynomial> yes = polynomial(expression.parts[1], place);
      const std::optional<Polynomial> no = polynomial(expression.parts[2], place);
      if (yes && no) out = chosen(expression.parts[0], *yes, *no, place);
      break;
    }
  }
  --depth_;
  if (out) out = tidy(*out);
  return out;
}

std::optional<Polynomial> IndexNames::host_polynomial(const std::string& text, std::size_t loops_around) {
  const bool was_host = in_host_;
  const std::size_t loops = host_loops_;
  in_host_ = true;
  host_loops_ = loops_around;
  std::optional<Polynomial> out = polynomial(text, {});
  in_host_ = was_host;
  host_loops_ = loops;
  return out;
}

const IndexNames::Atom* IndexNames::atom(const std::string& name) const {
  const std::size_t number = static_cast<std::size_t>(std::atoi(name.c_str() + 1));
  return name[0] == '#' && number < atoms_.size() ? &atoms_[number] : nullptr;
}

std::vector<std::string> IndexNames::variables_under(const Polynomial& polynomial) const {
  std::vector<std::string> out, open = polynomial.names();
  while (!open.empty()) {
    const std::string name = open.back();
    open.pop_back();
    if (const Atom* known = atom(name)) {
      for (const Polynomial* part : {&known->left, &known->right})
        for (const std::string& inner : part->names()) open.push_back(inner);
      continue;
    }
    if (name[0] == '~') out.push_back(name);
    // "@slot|i@0" holds the variables of its own index.
    const std::size_t first = name[0] == '@' ? name.find('|') + 1 : 0;
    const auto word = [&](std::size_t at) {
      return at < name.size() && (std::isalnum(static_cast<unsigned char>(name[at])) != 0 || name[at] == '_');
    };
    for (std::size_t at = name.find('@', first); at != std::string::npos; at = name.find('@', at + 1)) {
      std::size_t begin = at, end = at + 1;
      while (begin > first && word(begin - 1)) --begin;
      while (word(end)) ++end;
      if (begin < at) out.push_back(name.substr(begin, end - begin));
    }
  }
  return out;
}

void IndexNames::must_be_power_of_two(const Polynomial& value) {
  if (value.is_single_name()) powers_of_two_.push_back(value.names()[0]);
}

// ---- names ----

std::optional<Polynomial> IndexNames::name(const std::string& name, const IndexPlace& place) {
  const std::vector<SourceLoop>& loops = use_.function->loops;
  int best = -1;
  for (std::size_t i = 0; i < loops.size(); ++i)
    if (loops[i].variable == name && loops[i].where.begin <= place.at && place.at < loops[i].where.end)
      if (best < 0 || loops[i].depth > loops[static_cast<std::size_t>(best)].depth)
        best = static_cast<int>(i);
  if (best >= 0) return Polynomial::of(name + "@" + std::to_string(best));
  if (const std::optional<Polynomial> value = local(*use_.function, name, place)) return value;
  if (const std::optional<Polynomial> value = record_member(name, place)) return value;
  if (thread_word(name)) return Polynomial::of(name);
  const std::string head = name.substr(0, name.find('.'));
  for (const SourceParam& param : use_.function->params) {
    if (param.name != head) continue;
    if (param.is_pointer()) return Polynomial::of("@" + use_.argument(head) + "|" + name);
    const auto actual = use_.actual.find(head);
    if (actual == use_.actual.end()) return Polynomial::of(name);
    return host_polynomial(actual->second + name.substr(head.size()), use_.loops.size());
  }
  if (place.callee != nullptr)
    if (const std::optional<Polynomial> value = callee_name(name, place)) return value;
  return constant_name(name, place);
}

// "ray.cell" behind "Ray& ray = rays[i]".
std::optional<Polynomial> IndexNames::record_member(const std::string& name, const IndexPlace& place) {
  const std::size_t dot = name.find('.');
  if (dot == std::string::npos) return std::nullopt;
  for (const SourceLocal& one : use_.function->locals) {
    if (one.name != name.substr(0, dot)) continue;
    std::optional<CExpression> value = parse_c_expression(one.value);
    if (value && value->is("&")) value = CExpression(value->parts[0]);
    if (!value || (value->kind != Kind::index && value->kind != Kind::name))
      return Polynomial::of("~" + name);
    value->text += name.substr(dot);
    return polynomial(*value, place);
  }
  return std::nullopt;
}

// "neighs[k]" behind "int* neighs = &list[i * most]" is list[i * most + k].
std::optional<CExpression> IndexNames::behind_alias(const CExpression& expression) const {
  for (const SourceLocal& one : use_.function->locals) {
    if (one.name != expression.text || one.assigned_again || expression.parts.size() != 1) continue;
    const std::optional<CExpression> value = parse_c_expression(one.value);
    if (!value) return std::nullopt;
    CExpression out = expression;
    if (value->kind == Kind::name) {
      out.text = value->text;
      return out;
    }
    const bool address =
        value->is("&") && value->parts[0].kind == Kind::index && value->parts[0].parts.size() == 1;
    const bool sum = value->is("+") && value->parts[0].kind == Kind::name;
    if (!address && !sum) return std::nullopt;
    out.text = value->parts[0].text;
    CExpression offset;
    offset.kind = Kind::binary;
    offset.text = "+";
    offset.parts = {address ? value->parts[0].parts[0] : value->parts[1], expression.parts[0]};
    out.parts = {offset};
    return out;
  }
  return std::nullopt;
}

std::optional<Polynomial> IndexNames::callee_name(const std::string& name, const IndexPlace& place) {
  const std::vector<SourceLoop>& loops = place.callee->loops;
  for (std::size_t i = 0; i < loops.size(); ++i)
    if (loops[i].variable == name) return Polynomial::of(name + "@c" + std::to_string(i));
  if (const std::optional<Polynomial> value = local(*place.callee, name, place)) return value;
  const std::string head = name.substr(0, name.find('.'));
  const auto argument = place.arguments.find(head);
  if (argument == place.arguments.end()) return std::nullopt;
  IndexPlace outside = place;
  outside.callee = nullptr;
  return polynomial(argument->second + name.substr(head.size()), outside);
}

std::optional<Polynomial> IndexNames::local(const SourceFunction& function, const std::string& name,
                                            const IndexPlace& place) {
  const SourceLocal* found = nullptr;
  for (const SourceLocal& one : function.locals)
    if (one.name == name && (one.where.begin <= place.at || found == nullptr)) found = &one;
  if (found == nullptr) return std::nullopt;
  if (found->assigned_again || found->value.empty()) return Polynomial::of("~" + name);
  const std::optional<Polynomial> value = polynomial(found->value, place);
  return value ? *value : Polynomial::of("~" + name);
}

std::optional<Polynomial> IndexNames::constant_name(const std::string& name, const IndexPlace& place) {
  if (const auto tie = use_.ties.find(name); tie != use_.ties.end()) return Polynomial::of(tie->second);
  if (const auto chosen = use_.templates.find(name); chosen != use_.templates.end())
    return polynomial(chosen->second, place);
  if (const auto define = defines_.find(name); define != defines_.end())
    return names_a_size(name, define->second) ? Polynomial::of(name) : polynomial(define->second, place);
  for (const SourceMacro& macro : facts_.macros)
    if (macro.name == name && !macro.function_like && !macro.value.empty())
      return names_a_size(name, macro.value) ? Polynomial::of(name) : polynomial(macro.value, place);
  for (const SourceSymbol& symbol : facts_.symbols)
    if (symbol.name == name && symbol.is_const && !symbol.initial.empty() && symbol.extents.empty())
      return polynomial(symbol.initial, place);
  return Polynomial::of(name);
}

std::optional<Polynomial> IndexNames::host_name(const std::string& name) {
  for (std::size_t i = std::min(host_loops_, use_.loops.size()); i-- > 0;)
    if (use_.loops[i].variable == name) return Polynomial::of(name + "@h" + std::to_string(i));
  return constant_name(name, {});
}

std::optional<Polynomial> IndexNames::element(const CExpression& expression, const IndexPlace& place) {
  if (const std::optional<CExpression> meant = behind_alias(expression)) return element(*meant, place);
  std::string head = expression.text.substr(0, expression.text.find('.'));
  const std::string tail = expression.text.substr(head.size());
  if (place.callee != nullptr)
    if (const auto passed = place.arguments.find(head); passed != place.arguments.end())
      head = passed->second;
  for (const SourceLocal& one : use_.function->locals)
    if (one.name == head) return Polynomial::of("~" + head);
  for (const SharedArray& one : use_.function->shared)
    if (one.name == head) return Polynomial::of("~" + head);
  std::string key;
  for (const CExpression& index : expression.parts) {
    const std::optional<Polynomial> value = polynomial(index, place);
    key += (key.empty() ? "" : "][") + (value ? value->text() : "?");
  }
  return Polynomial::of("@" + use_.argument(head) + tail + "|" + key);
}

// ---- operations ----

std::optional<Polynomial> IndexNames::binary(const CExpression& expression, const IndexPlace& place) {
  const std::optional<Polynomial> a = polynomial(expression.parts[0], place);
  const std::optional<Polynomial> b = polynomial(expression.parts[1], place);
  if (!a || !b) return std::nullopt;
  const std::string& op = expression.text;
  if (op == "+") return *a + *b;
  if (op == "-") return *a - *b;
  if (op == "*") return *a * *b;
  if (op == "/") return quotient(*a, *b, place);
  if (op == "%") return remainder(*a, *b);
  if (op == "&" || op == "|" || op == "^" || op == "<<" || op == ">>") return bits(op, *a, *b, place);
  return either(0, 1, place);
}

std::optional<Polynomial> IndexNames::bits(const std::string& op, const Polynomial& a, const Polynomial& b,
                                           const IndexPlace& place) {
  if ((op == "<<" || op == ">>") && b.is_constant() && b.constant() >= 0 && b.constant() < 48) {
    const Polynomial factor(std::ldexp(1.0, static_cast<int>(b.constant())));
    return op == "<<" ? a * factor : quotient(a, factor, place);
  }
  if (op == "<<" && a.is_constant()) return new_atom({{a, std::nullopt}, '<', a, b});
  if (op == "&" && !has_variable(b)) {
    must_be_power_of_two(b + 1);
    return new_atom({{Polynomial(0), b}, '&', a, b});
  }
  if (op == "&" && !has_variable(a)) return bits(op, b, a, place);
  // a ^ b and a | b stay below the power of two above both.
  const std::optional<Polynomial> high = end_of(a, true, place);
  if (!high || op == "<<" || op == ">>") return std::nullopt;
  must_be_power_of_two(*high + 1);
  return new_atom({{Polynomial(0), high}, op[0], a, b});
}

Polynomial IndexNames::quotient(const Polynomial& a, const Polynomial& b, const IndexPlace& place) {
  const std::optional<Polynomial> ratio = a.over(b);
  if (!ratio) return new_atom({{Polynomial(0), end_of(a, true, place)}, '/', a, b});
  if (!has_variable(a) && !has_variable(b)) {
    // rows / TILE: what the tile leaves over belongs to no tile.
    if (a.is_single_name() && b.is_constant() && b.constant() >= 4)
      tiles_.emplace_back(a.names()[0], b.constant());
    return *ratio;
  }
  if (ratio->whole_exponents()) return *ratio;
  Atom atom{{}, '/', a, b};
  const std::optional<Polynomial> high = end_of(a, true, place);
  if (high) {
    // floor((n*m - 1) / n) is m - 1: a remainder of -1 to -b takes one off.
    const Polynomial rest = Polynomial(high->constant());
    const std::optional<Polynomial> most = (*high - rest).over(b);
    if (most && most->whole_exponents() && compare_typical(rest + b, 0) >= 0)
      atom.range.high = *most + Polynomial(rest.constant() < 0 ? -1 : 0);
    else
      atom.range.high = high->over(b);
  }
  if (const std::optional<Polynomial> low = end_of(a, false, place)) atom.range.low = low->over(b);
  return new_atom(std::move(atom));
}

Polynomial IndexNames::remainder(const Polynomial& a, const Polynomial& b) {
  if (a.is_constant() && b.is_constant() && b.constant() != 0) return std::fmod(a.constant(), b.constant());
  return new_atom({{Polynomial(0), b - 1}, '%', a, b});
}

Polynomial IndexNames::smaller(const Polynomial& a, const Polynomial& b, bool smallest,
                               const IndexPlace& place) {
  const auto pick = [&](bool upper) -> std::optional<Polynomial> {
    const std::optional<Polynomial> x = end_of(a, upper, place), y = end_of(b, upper, place);
    if (!x || !y) return smallest == upper ? (x ? x : y) : std::nullopt;
    return (compare_typical(*x, *y) < 0) == smallest ? x : y;
  };
  if (!has_variable(a) && !has_variable(b)) return *pick(true);
  return new_atom({{pick(false), pick(true)}, smallest ? 'm' : 'M', a, b});
}

Polynomial IndexNames::either(const Polynomial& a, const Polynomial& b, const IndexPlace& place) {
  const auto outer = [&](bool upper) -> std::optional<Polynomial> {
    const std::optional<Polynomial> x = end_of(a, upper, place), y = end_of(b, upper, place);
    if (!x || !y) return std::nullopt;
    return (compare_typical(*x, *y) > 0) == upper ? x : y;
  };
  if (a == b) return a;
  return new_atom({{outer(false), outer(true)}, '?', a, b});
}

// "a < b ? a : b" is a minimum.
Polynomial IndexNames::chosen(const CExpression& condition, const Polynomial& yes, const Polynomial& no,
                              const IndexPlace& place) {
  const bool less = condition.is("<") || condition.is("<="), more = condition.is(">") || condition.is(">=");
  if (!less && !more) return either(yes, no, place);
  const std::optional<Polynomial> left = polynomial(condition.parts[0], place);
  const std::optional<Polynomial> right = polynomial(condition.parts[1], place);
  if (left && right && *left == yes && *right == no) return smaller(yes, no, less, place);
  if (left && right && *left == no && *right == yes) return smaller(yes, no, more, place);
  return either(yes, no, place);
}

std::optional<Polynomial> IndexNames::call(const CExpression& expression, const IndexPlace& place) {
  const std::string& callee = expression.text;
  const std::vector<CExpression>& arguments = expression.parts;
  for (const SourceMacro& macro : facts_.macros)
    if (macro.function_like && macro.name == callee)
      return inlined(expression, macro_parameters(source_, callee, macro.where.begin), macro.value, place);
  for (const SourceFunction& function : facts_.functions) {
    if (function.name != callee) continue;
    std::vector<std::string> parameters;
    for (const SourceParam& param : function.params) parameters.push_back(param.name);
    const std::size_t length = function.body.end - function.body.begin;
    return inlined(expression, parameters, single_return(source_.substr(function.body.begin, length)), place);
  }
  if (arguments.size() == 1) {
    const CExpression& first = arguments[0];
    if (callee == "__ldg" && first.is("&")) return polynomial(first.parts[0], place);
    if (callee == "ceil" || callee == "floor" || callee == "ceilf" || callee == "abs")
      return polynomial(first, place);
    return std::nullopt;
  }
  if (arguments.size() != 2) return std::nullopt;
  const std::optional<Polynomial> a = polynomial(arguments[0], place), b = polynomial(arguments[1], place);
  if (!a || !b) return std::nullopt;
  std::string lower = callee;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return std::tolower(c); });
  if (lower == "min" || lower == "fmin" || lower == "imin") return smaller(*a, *b, true, place);
  if (lower == "max" || lower == "fmax" || lower == "imax") return smaller(*a, *b, false, place);
  if (lower.find("mul24") != std::string::npos || lower == "imul") return *a * *b;
  return std::nullopt;
}

std::optional<Polynomial> IndexNames::inlined(const CExpression& call,
                                              const std::vector<std::string>& parameters,
                                              const std::string& body, const IndexPlace& place) {
  const std::optional<CExpression> parsed = parse_c_expression(body);
  if (!parsed || parameters.size() != call.parts.size()) return std::nullopt;
  return polynomial(replaced(*parsed, parameters, call.parts), place);
}

// ---- atoms ----

Polynomial IndexNames::new_atom(Atom atom) {
  for (std::size_t i = 0; i < atoms_.size(); ++i)
    if (atom.operation != 0 && atoms_[i].operation == atom.operation && atoms_[i].left == atom.left &&
        atoms_[i].right == atom.right)
      return Polynomial::of("#" + std::to_string(i));
  atoms_.push_back(std::move(atom));
  return Polynomial::of("#" + std::to_string(atoms_.size() - 1));
}

// Puts together what belongs together: blockIdx.x * S + threadIdx.x, and (q / n) * n + q % n.
Polynomial IndexNames::tidy(Polynomial polynomial) {
  join_threads(polynomial);
  join_quotients(polynomial);
  return polynomial;
}

void IndexNames::join_threads(Polynomial& polynomial) const {
  for (const std::string axis : {"x", "y", "z"}) {
    const Polynomial thread = polynomial.coefficient("threadIdx." + axis);
    const Polynomial block = polynomial.coefficient("blockIdx." + axis);
    const std::optional<Polynomial> width = thread.terms().empty() ? std::nullopt : block.over(thread);
    if (!width || width->terms().empty()) continue;
    if (*width == Polynomial::of("blockDim." + axis) || (width->is_constant() && width->constant() >= 4))
      polynomial = polynomial - thread * Polynomial::of("threadIdx." + axis) -
                   block * Polynomial::of("blockIdx." + axis) + thread * Polynomial::of("$" + axis);
  }
}

// Also (q / d) * 2 * d + q % d, the left partner in a butterfly: with the right one, d further on, it covers
// twice as many elements as q has values, if these are powers of two.
void IndexNames::join_quotients(Polynomial& polynomial) {
  for (std::size_t i = 0; i < atoms_.size(); ++i)
    for (std::size_t j = 0; j < atoms_.size(); ++j) {
      const Atom whole = atoms_[i], rest = atoms_[j];
      if (whole.operation != '/' || rest.operation != '%' || !(rest.left == whole.left) ||
          !(rest.right == whole.right))
        continue;
      const std::string whole_name = "#" + std::to_string(i), rest_name = "#" + std::to_string(j);
      const Polynomial many = polynomial.coefficient(whole_name), one = polynomial.coefficient(rest_name);
      if (many.terms().empty() || one.terms().empty()) continue;
      const bool twice = one * whole.right * Polynomial(2) == many;
      if (!twice && !(one * whole.right == many)) continue;
      polynomial = polynomial - many * Polynomial::of(whole_name) - one * Polynomial::of(rest_name);
      polynomial = polynomial + one * (twice ? butterfly(whole.left, whole.right) : whole.left);
    }
}

Polynomial IndexNames::butterfly(const Polynomial& pair, const Polynomial& distance) {
  Atom atom{{Polynomial(0), std::nullopt}, 'b', pair, distance};
  const std::optional<Polynomial> last = end_of(pair, true, IndexPlace{use_.function->body.end});
  if (last) {
    const Polynomial elements = Polynomial(2) * (*last + 1);
    must_be_power_of_two(elements);
    atom.range.high = elements - distance - 1;
  }
  return new_atom(std::move(atom));
}

}  // namespace noctune
