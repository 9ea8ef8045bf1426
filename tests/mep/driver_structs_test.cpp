// Structs, vector types, arrays and schedules through a real driver.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include "mep/driver_fixture.hpp"
#include "mep/driver_sources.hpp"
#include "mep/entry_source.hpp"

namespace noctune::testing {
namespace {

using ::testing::HasSubstr;

CheckRunReport only_run(const Bench& bench, const std::string& plugin, const CheckRun& run) {
  const auto outcome = bench.run(plugin, std::vector<CheckRun>{run});
  EXPECT_TRUE(outcome.report) << outcome.report.error().text();
  if (!outcome.report) return {};
  EXPECT_TRUE(outcome.report->ended) << outcome.report->error;
  static std::string kept;
  kept = outcome.bytes;  // the views point into it
  const auto report = parse_report(kept, 0x1234567890abcdefULL);
  return report && report->runs.size() == 1 ? report->runs[0] : CheckRunReport{};
}

CheckRun run_of(const Bench& bench) {
  CheckRun run;
  run.resolved = bench.resolved("c", 11);
  run.seed = 12;
  return run;
}

const char* const pointers_spec = R"({"entry": "f", "sizes": {"n": 100}, "params": [
  {"name": "s", "type": "Soa", "fields": {
    "n": "n", "scale": {"type": "double", "value": 2.5},
    "x": {"type": "const float* __restrict__", "count": "n", "role": "in", "init": "index"},
    "low": {"type": "double[2]", "init": 7}, "box": {"type": "Box", "fields": {"nx": {"type": "long", "value": 3}}}}},
  {"name": "t", "type": "const Target*", "count": 1, "fields": {
    "n": "n", "y": {"type": "double*", "count": "n", "role": "out"}}}],
  "scratch": true, "cases": [{"name": "c"}]})";

const char* const pointers_source = R"(
extern "C" std::size_t f_scratch_bytes(Soa s) { return 8 * s.n; }
extern "C" void f(Soa s, const Target* t, void* scratch) {
  for (int i = 0; i < s.n; ++i) static_cast<double*>(scratch)[i] = s.scale * s.x[i];
  for (int i = 0; i < t->n; ++i) t->y[i] = static_cast<double*>(scratch)[i] + s.low[1] + s.box.nx;
})";

TEST(DriverStructs, OfPointersAreAssembled) {
  Bench bench(spec_from(pointers_spec));
  ASSERT_TRUE(bench.built()) << bench.compiler_output();
  const CheckRun run = run_of(bench);
  ASSERT_EQ(run.resolved.args.size(), 7u);
  EXPECT_EQ(run.resolved.args[4].name, "s.box.nx");
  EXPECT_EQ(run.resolved.args[6].name, "t.y");
  const CheckRunReport got = only_run(bench, bench.plugin(pointers_source), run);
  EXPECT_TRUE(got.guards_ok && got.inputs_ok) << got.guard_message << got.input_message;
  ASSERT_EQ(got.outputs.size(), 1u);
  EXPECT_EQ(got.outputs[0].param, 6);
  const auto y = elements<double>(got.outputs[0]);
  ASSERT_EQ(y.size(), 100u);
  EXPECT_EQ(y[9], 2.5 * 9 + 7 + 3);
}

TEST(DriverStructs, AShortenedMemberLeavesTheRestAlone) {
  Bench bench(spec_from(pointers_spec));
  CheckRun run = run_of(bench);
  run.mutation = Mutation::shortened;
  run.only_param = 5;  // t.n
  const auto y = elements<double>(only_run(bench, bench.plugin(pointers_source), run).outputs.at(0));
  EXPECT_EQ(y[98], 2.5 * 98 + 10);
  EXPECT_NE(y[99], y[99]);  // the poison is NaN
}

TEST(DriverStructs, AWrongMemberTypeDoesNotCompile) {
  MepSpec spec = spec_from(pointers_spec);
  Bench bench(
      spec,
      "struct Box { long nx; }; struct Soa { int n; float scale; const float* x; double low[2]; Box box; };\n"
      "struct Target { int n; double* y; };\n"
      "extern \"C\" void f(Soa, const Target*, void*);\n");
  EXPECT_FALSE(bench.built());
  EXPECT_THAT(bench.compiler_output(), HasSubstr("the spec takes s.scale for f64"));
}

// Members in another order than in the spec, with padding between them.
const char* const atom_context = R"(
struct Vec { float x, y, z; };
struct Atom { char kind; double mass; Vec pos; int neighbours[3]; };
extern "C" void step(int n, const Atom* in, Atom* out);
)";
const char* const atoms_spec = R"({"entry": "step", "sizes": {"n": 37}, "params": [
  {"name": "n", "type": "int", "value": "n"},
  {"name": "in", "type": "const Atom*", "count": "n", "role": "in", "fields": {
    "mass": {"type": "double", "init": {"kind": "uniform", "low": 1, "high": 2}},
    "pos": {"type": "Vec", "fields": {"x": {"type": "float", "init": "index"}, "z": {"type": "float"}}},
    "kind": {"type": "char", "value": 5}}},
  {"name": "out", "type": "Atom*", "count": "n", "role": "inout", "fields": {
    "neighbours": {"type": "int[3]", "init": "index"}, "mass": {"type": "double", "init": 0},
    "kind": {"type": "char", "live_out": false}}}], "cases": [{"name": "c"}]})";
const char* const atoms_source = R"(
extern "C" void step(int n, const Atom* in, Atom* out) {
  for (int i = 0; i < n; ++i) {
    out[i].mass = in[i].mass + in[i].pos.x + in[i].kind;
    out[i].neighbours[2] *= 10;
  }
})";

TEST(DriverStructs, ArraysOfThemAreFilledAndReadLeafByLeaf) {
  Bench bench(spec_from(atoms_spec), atom_context);
  ASSERT_TRUE(bench.built()) << bench.compiler_output();
  for (const int offset : {0, 16, at_page_end}) {
    CheckRun run = run_of(bench);
    run.offset_bytes = offset;
    const CheckRunReport got = only_run(bench, bench.plugin(atoms_source), run);
    EXPECT_TRUE(got.guards_ok && got.inputs_ok) << got.guard_message << got.input_message;
    ASSERT_EQ(got.outputs.size(), 2u);
    const auto neighbours = elements<int>(got.outputs[0]);
    ASSERT_EQ(neighbours.size(), 111u);
    EXPECT_EQ(neighbours[4], 4);
    EXPECT_EQ(neighbours[5], 50);
    const auto mass = elements<double>(got.outputs[1]);
    ASSERT_EQ(mass.size(), 37u);
    EXPECT_GE(mass[10], 16);
    EXPECT_LE(mass[10], 17);
  }
}

std::string guilty_of(const std::string& statement, const std::string& context = atom_context) {
  Bench bench(spec_from(atoms_spec), context);
  const std::string source = "extern \"C\" void step(int n, const Atom* in, Atom* out) { " + statement + " }";
  const CheckRunReport got = only_run(bench, bench.plugin(source), run_of(bench));
  return got.guard_message + got.input_message;
}

TEST(DriverStructs, DamageNamesTheRecordsOrTheMember) {
  EXPECT_THAT(guilty_of("out[n].kind = 1;"), HasSubstr("out: 1 byte changed behind its end"));
  EXPECT_THAT(guilty_of("const_cast<Atom*>(in)[3].pos.z = 0;"), HasSubstr("in.pos.z changed although"));
}

TEST(DriverStructs, PoisonIsThatOfAPlainBuffer) {
  MepSpec spec = spec_from(R"({"entry": "f", "sizes": {"n": 9}, "params": [
    {"name": "r", "type": "R*", "count": "n", "role": "out", "fields": {"a": {"type": "int"}, "b": {"type": "float"}, "c": {"type": "double"}}},
    {"name": "p", "type": "float*", "count": "n", "role": "out"}], "cases": [{"name": "c"}]})");
  Bench bench(spec);
  ASSERT_TRUE(bench.built()) << bench.compiler_output();
  const CheckRunReport got =
      only_run(bench, bench.plugin("extern \"C\" void f(R*, float*) {}"), run_of(bench));
  ASSERT_EQ(got.outputs.size(), 4u);
  EXPECT_EQ(got.outputs[1].bytes, got.outputs[3].bytes);
}

TEST(DriverStructs, RoundingAndNudgesReachMembers) {
  Bench bench(spec_from(atoms_spec), atom_context);
  const std::string plugin = bench.plugin(atoms_source);
  CheckRun plain = run_of(bench), rounded = plain, nudged = plain;
  rounded.mutation = Mutation::rounded;
  nudged.variant = InputVariant::nudged;
  const auto mass = [&](const CheckRun& run) {
    return elements<double>(only_run(bench, plugin, run).outputs.at(1));
  };
  const auto a = mass(plain), b = mass(rounded), c = mass(nudged);
  double coarse = 0, fine = 0;
  for (std::size_t i = 0; i < a.size(); ++i) coarse += std::abs(a[i] - b[i]), fine += std::abs(a[i] - c[i]);
  EXPECT_GT(coarse, 1e-9);
  EXPECT_GT(fine, 0);
  EXPECT_LT(fine, 1e-3);
}

TEST(DriverStructs, VectorsAndArraysAreCountedInScalars) {
  Bench bench(spec_from(R"({"entry": "f", "sizes": {"n": 50}, "defines": {"D": 3}, "params": [
    {"name": "n", "type": "int", "value": "n"}, {"name": "shift", "type": "float3", "value": 0.5},
    {"name": "x", "type": "const float4* __restrict__", "count": "n", "role": "in", "init": "index"},
    {"name": "m", "type": "double[D]*", "count": "n", "role": "inout", "init": "index"},
    {"name": "y", "type": "float4*", "count": "n", "role": "out"},
    {"name": "c", "type": "uchar4*", "count": "n", "role": "out", "fields": {"x": {"type": "unsigned char"}, "w": {"type": "unsigned char"}}}],
    "cases": [{"name": "c"}]})"));
  ASSERT_TRUE(bench.built()) << bench.compiler_output();
  const CheckRun run = run_of(bench);
  EXPECT_EQ(run.resolved.args[2].count, 200);
  EXPECT_EQ(run.resolved.args[3].count, 150);
  const CheckRunReport got = only_run(bench, bench.plugin(R"(
extern "C" void f(int n, float3 shift, const float4* __restrict__ x, double (*m)[D], float4* y, uchar4* c) {
  static_assert(alignof(float4) == 16 && alignof(float3) == 4 && sizeof(float3) == 12, "as CUDA has them");
  for (int i = 0; i < n; ++i) {
    y[i] = make_float4(x[i].x + shift.z, 1, 2, x[i].w);
    m[i][2] += 1;
    c[i].w = 9;
  }
})"),
                                      run);
  ASSERT_EQ(got.outputs.size(), 4u);
  EXPECT_EQ(elements<double>(got.outputs[0])[5], 6);
  EXPECT_EQ(elements<float>(got.outputs[1])[4], 4.5f);
  EXPECT_EQ(elements<float>(got.outputs[1])[7], 7.0f);
  EXPECT_EQ(elements<unsigned char>(got.outputs[3])[49], 9);
}

TEST(DriverStructs, ASequenceWithSymbolsRuns) {
  const MepSpec spec =
      spec_from(R"json({"entry": "run", "sizes": {"n": 40, "steps": {"default": 3}}, "params": [
    {"name": "n", "type": "int", "value": "n"}, {"name": "steps", "type": "int", "value": "steps"},
    {"name": "a", "type": "float*", "count": "n", "role": "inout", "init": "index"},
    {"name": "b", "type": "float*", "count": "n", "role": "scratch"}],
    "globals": [{"symbol": "coef", "type": "float", "count": 2, "init": 2}, {"symbol": "dom", "type": "Dom", "fields": {"shift": {"type": "double", "value": 3}}}],
    "template": ["float"],
    "sequence": [{"for": "k", "from": 0, "to": "steps", "do": [
      {"launch": "twice", "grid": ["ceil(n/256)"], "block": 256, "args": ["n", "a", "b", "k"]}, {"swap": ["a", "b"]}]}],
    "cases": [{"name": "c"}]})json");
  Bench bench(spec);
  ASSERT_TRUE(bench.built()) << bench.compiler_output();
  const std::string kernels = R"(
static float coef[4];
Dom dom;
template <class T> void twice(int n, const T* from, T* to, int k) {
  for (int i = 0; i < n; ++i) to[i] = coef[1] * from[i] + (k == 0 ? dom.shift : 0);
})";
  const auto source = with_entry(kernels, spec);
  ASSERT_TRUE(source) << source.error().text();
  const CheckRunReport got = only_run(bench, bench.plugin(*source), run_of(bench));
  ASSERT_EQ(got.outputs.size(), 1u);
  EXPECT_EQ(elements<float>(got.outputs[0])[5], (5 * 2 + 3) * 4);
}

TEST(DriverStructs, ACheckSeesThemBeforeAndAfter) {
  MepSpec spec = spec_from(R"({"entry": "f", "sizes": {"n": 8}, "params": [
    {"name": "s", "type": "S", "fields": {"n": "n", "x": {"type": "int*", "count": "n", "role": "inout", "init": "index"}}},
    {"name": "r", "type": "R*", "count": "n", "role": "out", "fields": {"k": {"type": "int"}, "d": {"type": "double"}}}],
    "check": {"invariants": "check.cpp"}, "cases": [{"name": "c"}]})");
  Bench bench(spec);
  ASSERT_TRUE(bench.built()) << bench.compiler_output();
  const std::string plugin = bench.plugin(R"(
extern "C" void f(S s, R* r) { for (int i = 0; i < s.n; ++i) { s.x[i] += 1; r[i].k = i; r[i].d = 0.5 * i; } })");
  const CheckRun run = run_of(bench);
  const CheckRunReport made = only_run(bench, plugin, run);
  std::string bytes;
  for (const OutputBlob& blob : made.outputs) bytes += blob.bytes;
  const std::string check = bench.plugin(check_source(spec, R"(
#include <cstdio>
extern "C" int f_check(S s, R* r, const void* const* before, char* why, std::size_t room) {
  const S& old = *static_cast<const S*>(before[0]);
  if (old.x == s.x) return std::snprintf(why, room, "one buffer");
  if (before[1] == r) return std::snprintf(why, room, "one array");
  for (int i = 0; i < s.n; ++i)
    if (s.x[i] != old.x[i] + 1 || r[i].k != i || r[i].d != 0.5 * i) return std::snprintf(why, room, "at %d", i);
  return std::snprintf(why, room, "holds") * 0;
})"));
  for (const bool spoilt : {false, true}) {
    if (spoilt) bytes.back() = 1;
    const std::string path = (bench.folder() / "outputs").string();
    value_or_throw(write_file(path, bytes));
    JudgeRun judge;
    judge.runs = {run};
    judge.outputs_fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const DriverCommand wanted = bench.command(check, judge);
    Child child = bench.start(wanted, {judge.outputs_fd});
    EXPECT_EQ(child.wait(), 0);
    const std::string answer = child.bytes();
    close(judge.outputs_fd);
    const auto report = parse_report(answer, wanted.nonce);
    ASSERT_TRUE(report) << report.error().text();
    ASSERT_EQ(report->judged.size(), 1u) << report->error;
    EXPECT_EQ(report->judged[0].holds, !spoilt) << report->judged[0].why;
    EXPECT_EQ(report->judged[0].why, spoilt ? "at 7" : "");
  }
}

}  // namespace
}  // namespace noctune::testing
