// Turns index texts of one kernel into polynomials over the entry's sizes and over variables that have a
// range: loop variables, thread indices, values read from arrays, and what no polynomial can say.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mep/completion/c_expression.hpp"
#include "mep/completion/kernel_use.hpp"
#include "mep/completion/polynomial.hpp"

namespace noctune {

// Both ends possible; absent where nobody says.
struct IndexRange {
  std::optional<Polynomial> low, high;
};

// Where in the source a text stands: decides which loops are around it and which locals it sees.
struct IndexPlace {
  std::size_t at = 0;
  std::string guard = {};  // the condition around it
  // The text is of a function that is called here: its names count where the kernel has none of that name.
  const SourceFunction* callee = nullptr;
  std::map<std::string, std::string> arguments = {};  // of that call, by parameter
};

// Names of variables: "i@2" (of the function's loop 2), "k@h0" (of the host's), "i@c1" (of a callee's), "$x"
// (global thread index), "threadIdx.x", "blockIdx.x", "@col|n" (a value read from col), "~i" (a local of many
// values), "#3" (an atom).
inline bool is_index_variable(const std::string& name) {
  return name[0] == '$' || name[0] == '@' || name[0] == '~' || name[0] == '#' ||
         name.find('@') != std::string::npos || name.rfind("threadIdx.", 0) == 0 ||
         name.rfind("blockIdx.", 0) == 0;
}

class IndexNames {
 public:
  IndexNames(const SourceFacts& facts, const std::string& source, const KernelUse& use,
             const std::map<std::string, std::string>& defines)
      : facts_(facts), source_(source), use_(use), defines_(defines) {}
  virtual ~IndexNames() = default;
  IndexNames(const IndexNames&) = delete;
  IndexNames& operator=(const IndexNames&) = delete;

  std::optional<Polynomial> polynomial(const std::string& text, const IndexPlace& place);
  std::optional<Polynomial> polynomial(const CExpression& expression, const IndexPlace& place);
  // A text of the host's code, where launches stand: grid, block, bounds of its loops.
  std::optional<Polynomial> host_polynomial(const std::string& text, std::size_t loops_around);
  const KernelUse& use() const { return use_; }
  // The loop variables that a polynomial depends on, also within its atoms.
  std::vector<std::string> variables_under(const Polynomial& polynomial) const;
  // Sizes whose bits are used: as masks, in butterflies, by loops that double their variable.
  const std::vector<std::string>& powers_of_two() const { return powers_of_two_; }
  const std::vector<std::pair<std::string, double>>& tiles() const { return tiles_; }

 protected:
  struct Atom {
    IndexRange range;
    char operation = 0;  // '/', '%', '<' (shift), 'b' (butterfly), ... of these two
    Polynomial left, right;
  };
  // Ends of a polynomial with every variable at its own end.
  virtual std::optional<Polynomial> end_of(const Polynomial& polynomial, bool upper,
                                           const IndexPlace& place) = 0;
  void must_be_power_of_two(const Polynomial& value);
  const SourceFacts& facts() const { return facts_; }
  const Atom* atom(const std::string& name) const;

 private:
  std::optional<Polynomial> name(const std::string& name, const IndexPlace& place);
  std::optional<Polynomial> local(const SourceFunction& function, const std::string& name,
                                  const IndexPlace& place);
  std::optional<Polynomial> record_member(const std::string& name, const IndexPlace& place);
  std::optional<CExpression> behind_alias(const CExpression& expression) const;
  std::optional<Polynomial> callee_name(const std::string& name, const IndexPlace& place);
  std::optional<Polynomial> constant_name(const std::string& name, const IndexPlace& place);
  std::optional<Polynomial> host_name(const std::string& name);
  std::optional<Polynomial> element(const CExpression& expression, const IndexPlace& place);
  std::optional<Polynomial> binary(const CExpression& expression, const IndexPlace& place);
  std::optional<Polynomial> bits(const std::string& op, const Polynomial& a, const Polynomial& b,
                                 const IndexPlace& place);
  std::optional<Polynomial> call(const CExpression& expression, const IndexPlace& place);
  std::optional<Polynomial> inlined(const CExpression& call, const std::vector<std::string>& parameters,
                                    const std::string& body, const IndexPlace& place);
  Polynomial quotient(const Polynomial& a, const Polynomial& b, const IndexPlace& place);
  Polynomial remainder(const Polynomial& a, const Polynomial& b);
  Polynomial smaller(const Polynomial& a, const Polynomial& b, bool smallest, const IndexPlace& place);
  Polynomial chosen(const CExpression& condition, const Polynomial& yes, const Polynomial& no,
                    const IndexPlace& place);
  Polynomial either(const Polynomial& a, const Polynomial& b, const IndexPlace& place);
  Polynomial new_atom(Atom atom);
  Polynomial tidy(Polynomial polynomial);
  void join_threads(Polynomial& polynomial) const;
  void join_quotients(Polynomial& polynomial);
  Polynomial butterfly(const Polynomial& pair, const Polynomial& distance);

  const SourceFacts& facts_;
  const std::string& source_;
  const KernelUse& use_;
  const std::map<std::string, std::string>& defines_;
  std::vector<Atom> atoms_;
  std::vector<std::string> powers_of_two_;
  std::vector<std::pair<std::string, double>> tiles_;
  std::size_t host_loops_ = 0;
  bool in_host_ = false;
  int depth_ = 0;
};

}  // namespace noctune
