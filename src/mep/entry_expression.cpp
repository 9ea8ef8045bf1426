// The grammar of model/expression, translated while it is read.
#include "mep/entry_expression.hpp"

#include <cctype>
#include <set>
#include <vector>

namespace noctune {
namespace {

constexpr int deepest = 100;

struct Term {
  std::string text;
  std::string above, below;  // where it is one quotient as a whole
  bool divides = false;      // a quotient is in it
  bool real = false;         // computed in double
};

class Translator {
 public:
  Translator(const std::string& text, const EntryNames& names) : text_(text), names_(names) {}

  Result<std::string> run() {
    const Term term = sum();
    if (error_.empty() && peek() != '\0') error("\"" + text_.substr(at_, 12) + "\" is not expected there");
    if (!error_.empty()) return fail("expression \"" + text_ + "\" of the sequence", error_, hint_);
    return term.real ? whole(term.text) : term.text;
  }

 private:
  static std::string whole(const std::string& text) { return "static_cast<long long>(" + text + ")"; }

  void error(const std::string& what, const std::string& hint = {}) {
    if (!error_.empty()) return;
    error_ = what;
    hint_ = hint;
  }
  char peek() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char wanted) {
    if (peek() != wanted) return false;
    ++at_;
    return true;
  }

  static Term joined(const Term& left, char sign, const Term& right) {
    Term out{"(" + left.text + " " + sign + " " + right.text + ")",
             {},
             {},
             left.divides || right.divides,
             left.real || right.real};
    if (sign != '/') return out;
    out.divides = true;
    if (!out.real) out.above = left.text, out.below = right.text;
    return out;
  }

  Term sum() {
    Term left = product();
    for (char sign = peek(); error_.empty() && (sign == '+' || sign == '-'); sign = peek()) {
      ++at_;
      left = joined(left, sign, product());
    }
    return left;
  }

  Term product() {
    Term left = unary();
    for (char sign = peek(); error_.empty() && (sign == '*' || sign == '/' || sign == '%'); sign = peek()) {
      ++at_;
      left = joined(left, sign, unary());
    }
    return left;
  }

  Term unary() {
    if (++depth_ > deepest) {
      error("it is nested too deeply");
      return {};
    }
    Term out;
    if (take('-')) {
      out = unary();
      out.text = "(-" + out.text + ")";
      out.above.clear();
    } else {
      out = take('+') ? unary() : primary();
    }
    --depth_;
    return out;
  }

  Term primary() {
    const char c = peek();
    if (take('(')) {
      const Term inner = sum();
      if (!take(')')) error("a closing parenthesis is missing");
      return inner;
    }
    if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') return number();
    if (std::isalpha(static_cast<unsigned char>(c)) || c == '_') return name();
    error(c == '\0' ? "it ends where a number or name is expected"
                    : std::string("\"") + c + "\" stands where a number or name is expected");
    return {};
  }

  std::string word(bool number) {
    const std::size_t start = at_;
    while (at_ < text_.size()) {
      const char c = text_[at_], before = at_ > start ? text_[at_ - 1] : '\0';
      const bool sign = number && (c == '+' || c == '-') && (before == 'e' || before == 'E');
      if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '.' && !sign) break;
      ++at_;
    }
    return text_.substr(start, at_ - start);
  }

  Term number() {
    Term out;
    out.text = word(true);
    out.real = out.text.find_first_of(".eE") != std::string::npos;
    if (out.text.find_first_not_of("0123456789.eE+-") != std::string::npos)
      error("\"" + out.text + "\" is not a number");
    return out;
  }

  Term name() {
    const std::string found = word(false);
    if (take('(')) return function(found);
    const auto known = names_.find(found);
    if (known != names_.end()) return {known->second, {}, {}, false, false};
    error("the entry cannot know \"" + found + "\"",
          "add a by-value parameter with \"value\": \"" + found + "\", or write what it is");
    return {};
  }

  Term function(const std::string& called) {
    std::vector<Term> terms;
    do terms.push_back(sum());
    while (error_.empty() && take(','));
    if (!take(')')) error("a closing parenthesis is missing");
    if (!error_.empty()) return {};
    if (called == "min" || called == "max") return extreme(called == "min" ? " < " : " > ", terms);
    static const std::set<std::string> known = {"ceil", "floor", "sqrt", "log2"};
    if (!known.count(called))
      error("there is no function " + called, "known: min, max, ceil, floor, sqrt, log2");
    if (terms.size() != 1) error(called + " takes one argument");
    const Term& term = terms.front();
    if (called == "sqrt" || called == "log2")
      return {"__builtin_" + called + "(static_cast<double>(" + term.text + "))", {}, {}, false, true};
    if (term.real) return {whole("__builtin_" + called + "(" + term.text + ")"), {}, {}, false, false};
    if (called == "floor") return {term.text, {}, {}, term.divides, false};
    if (!term.above.empty())
      return {"((" + term.above + " + " + term.below + " - 1) / " + term.below + ")", {}, {}, true, false};
    if (term.divides) error("a quotient inside of ceil is rounded before the rest", "write ceil(a/b) alone");
    return term;
  }

  static Term extreme(const std::string& sign, const std::vector<Term>& terms) {
    Term out = terms.front();
    out.above.clear();
    for (std::size_t i = 1; i < terms.size(); ++i) {
      out.text = "(" + out.text + sign + terms[i].text + " ? " + out.text + " : " + terms[i].text + ")";
      out.divides = out.divides || terms[i].divides;
      out.real = out.real || terms[i].real;
    }
    return out;
  }

  const std::string& text_;
  const EntryNames& names_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::string error_, hint_;
};

}  // namespace

Result<std::string> entry_expression(const std::string& expression, const EntryNames& names) {
  return Translator(expression, names).run();
}

}  // namespace noctune
