// The catalogue: every rule changes a working copy wherever it is legal, and says whether it found such a
// place.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "coordinator/rules/program.hpp"

namespace noctune::rules {

// One step of a recipe: "parallel@i(schedule=static)".
struct Step {
  std::string rule;
  std::string target;  // a loop's id; empty = wherever it applies
  std::map<std::string, std::string> params;

  long long integer(const std::string& name, long long fallback) const;
  std::string text(const std::string& name, const std::string& fallback) const;
};

namespace gpu {
struct Source;
}

struct Work {
  Program program;
  std::shared_ptr<const gpu::Source> gpu;  // null for OpenMP
  int threads = 1;
  int vector_bytes = 32;
  long long l1_bytes = 32 << 10;
  std::vector<std::string> extra_flags;
};

struct Rule {
  const char* name;
  const char* strategy;  // for people and the results file
  const char* kind;      // mechanism, as in Candidate::kind
  const char* reason;    // why it should be faster: a clause that follows "because"
  bool (*apply)(Work&, const Step&);
};
const std::vector<Rule>& catalogue();
const Rule* find_rule(const std::string& name);

// parallelise.cpp: loops that a team shared in the original, and of which no step has made anything else, are
// shared again as far as that can be shown to be right.
void keep_threads(Work& work);

// restructure.cpp
bool inline_helpers(Work& work, const Step& step);
bool localise(Work& work, const Step& step);
bool hoist(Work& work, const Step& step);
// reorder.cpp
bool interchange(Work& work, const Step& step);
bool rows(Work& work, const Step& step);
bool fuse(Work& work, const Step& step);
// jam.cpp
bool jam(Work& work, const Step& step);
// expand.cpp
bool expand(Work& work, const Step& step);
// guards.cpp
bool peel(Work& work, const Step& step);
bool unroll(Work& work, const Step& step);
// tile.cpp
bool tile(Work& work, const Step& step);
// tabulate.cpp
bool tabulate(Work& work, const Step& step);
// parallelise.cpp
bool parallel(Work& work, const Step& step);
bool team(Work& work, const Step& step);
bool partials(Work& work, const Step& step);
bool simd(Work& work, const Step& step);
// contraction.cpp
bool contract(Work& work, const Step& step);
// rules.cpp
bool restrict_pointers(Work& work, const Step& step);
bool flags(Work& work, const Step& step);

// Shared by the rules.
bool is_open(const Function& function);                           // its body may be rewritten
std::vector<std::string> loop_ids(const Statements& statements);  // in order of the text
bool wants(const Step& step, const std::string& id);
// Differences of such values may be negative; of unsigned ones they wrap around.
bool is_signed(const std::string& type);
std::string new_id(Program& program, const std::string& counter);
// Gives every loop inside a new id.
void renumber(Program& program, Statements& statements);
// Splits the loop so that the inner loop `id` stands alone in it; true also where it already does.
bool isolate(Work& work, Function& function, const std::string& outer_id, const std::string& id);
// Scalars written inside tie statements together in ways that reordering would break.
bool writes_outer_scalar(const Statements& body);
// Executed innermost statements, estimated from the timed case; 100 where a bound is unknown.
double work_of(const Program& program, const Statement& loop);

}  // namespace noctune::rules
