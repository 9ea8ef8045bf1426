// MEPs whose entries take more than numbers and plain pointers, completed from end to end: real compilers,
// drivers and mutants.
#include <gmock/gmock.h>

#include "evaluator/evaluator.hpp"
#include "evaluator_fixture.hpp"
#include "mep/entry_source.hpp"

namespace noctune {
namespace {

class StructMeps : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { real_ = new RealEvaluator; }
  static void TearDownTestSuite() { delete real_; }

  // K(0) completed, and how a version with `wrong` in place of `right` fares.
  static void expect_judged(const std::string& spec, const std::string& kernels, const std::string& context,
                            const std::string& right, const std::string& wrong) {
    PrepareTask task = small_task(spec, "");
    task.mep.hotspot = task.mep.spec.entry;
    task.mep.context = context;
    task.mep.original = value_or_throw(with_entry(kernels, task.mep.spec));
    const Baselined done = real_->run(real_->evaluator->prepare(task));
    ASSERT_TRUE(done.report.usable) << done.report.message << done.report.diagnostics;
    EXPECT_EQ(done.null_probe.verdict, Verdict::wrong_result);
    std::string spoilt = task.mep.original;
    const std::size_t at = spoilt.find(right);
    ASSERT_NE(at, std::string::npos);
    spoilt.replace(at, right.size(), wrong);
    for (const bool good : {true, false}) {
      EvaluationTask asked;
      asked.setup = task;
      asked.report = done.report;
      asked.candidate.source = good ? task.mep.original + "// the same\n" : spoilt;
      asked.candidate.proposer = "user";
      asked.reference.source = task.mep.original;
      asked.reference.proposer = "original";
      const Evaluation found = real_->run(real_->evaluator->evaluate(std::move(asked)));
      EXPECT_EQ(found.verdict, good ? Verdict::ok : Verdict::wrong_result)
          << found.message << found.diagnostics;
    }
  }

  static RealEvaluator* real_;
};

RealEvaluator* StructMeps::real_ = nullptr;

const std::string sized = R"("sizes": {"n": {"default": 20000, "min": 100, "scale": true}},
  "cases": [{"name": "time", "sizes": {"n": "auto"}}, {"name": "odd", "sizes": {"n": 131}, "use": "check"}],)";

TEST_F(StructMeps, OfPointers) {
  expect_judged("{\"entry\": \"push\", " + sized + R"("params": [
      {"name": "p", "type": "Particles", "fields": {
        "n": "n", "dt": {"type": "double", "value": 0.125},
        "x": {"type": "double*", "count": "n", "role": "inout"},
        "v": {"type": "const double*", "count": "n", "role": "in"}}}]})",
                R"(
extern "C" void push(Particles p) {
  for (int i = 0; i < p.n; ++i) p.x[i] += p.dt * p.v[i];
})",
                "", "p.dt * p.v[i]", "p.dt * (i % 7 ? p.v[i] : 0)");
}

TEST_F(StructMeps, ArraysOfThemInAndOut) {
  expect_judged("{\"entry\": \"drift\", " + sized + R"("params": [
      {"name": "n", "type": "int", "value": "n"},
      {"name": "atoms", "type": "Atom*", "count": "n", "role": "inout", "fields": {
        "x": {"type": "double[3]"}, "mass": {"type": "double", "init": {"kind": "uniform", "low": 1, "high": 2}},
        "type": {"type": "int", "init": {"kind": "integers", "low": 0, "high": 1}}}}]})",
                R"(
extern "C" void drift(int n, Atom* atoms) {
  for (int i = 0; i < n; ++i)
    for (int d = 0; d < 3; ++d) atoms[i].x[d] = atoms[i].x[d] / atoms[i].mass + (atoms[i].type ? 1 : 2);
})",
                "struct Atom { int type; double x[3]; double mass; char tag; };\nextern \"C\" void drift(int "
                "n, Atom* atoms);\n",
                "type ? 1 : 2", "type ? 1 : 2 + 1e-9");
}

TEST_F(StructMeps, OfFourFloats) {
  expect_judged("{\"entry\": \"forces\", " + sized + R"("params": [
      {"name": "n", "type": "int", "value": "n"},
      {"name": "pos", "type": "const float4*", "count": "n", "role": "in"},
      {"name": "force", "type": "float4*", "count": "n", "role": "out"}]})",
                R"(
extern "C" void forces(int n, const float4* pos, float4* force) {
  for (int i = 0; i < n; ++i) {
    const float4 a = pos[i], b = pos[(i + 1) % n];
    force[i] = make_float4(b.x - a.x, b.y - a.y, b.z - a.z, a.w * b.w);
  }
})",
                "", "b.z - a.z", "b.z");
}

TEST_F(StructMeps, WithSymbolsAndASchedule) {
  expect_judged("{\"entry\": \"smooth_entry\", " + sized + R"json("params": [
      {"name": "n", "type": "int", "value": "n"},
      {"name": "a", "type": "double*", "count": "n", "role": "inout"},
      {"name": "b", "type": "double*", "count": "n", "role": "scratch"}],
    "globals": [{"symbol": "weights", "type": "double", "count": 3, "init": {"kind": "uniform", "low": 0.25, "high": 0.5}}],
    "template": ["double", 3],
    "sequence": [{"for": "k", "from": 0, "to": 3, "do": [
      {"launch": "smooth", "grid": ["ceil(n/256)"], "block": [256], "args": ["n", "a", "b"]}, {"swap": ["a", "b"]}]}]})json",
                R"(
static double weights[3];
template <class T, int W> static void smooth(int n, const T* from, T* to) {
  for (int i = 0; i < n; ++i) {
    to[i] = 0;
    for (int w = 0; w < W; ++w) to[i] += weights[w] * from[(i + w) % n];
  }
})",
                "", "k < 3", "k < 2");
}

}  // namespace
}  // namespace noctune
