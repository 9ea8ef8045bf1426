// Structs, symbols at file scope and host schedules in a spec.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/mep_globals.hpp"
#include "model/mep_spec_json.hpp"
#include "model/task_json.hpp"
#include "places.hpp"

namespace noctune {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

MepSpec read(const std::string& text) {
  return read_mep_spec(value_or_throw(parse_json(text, "x.mep.json")));
}

std::string complaint(const std::string& text) {
  try {
    read(text);
  } catch (const UserError& error) {
    return error.what();
  }
  return "no complaint";
}

// Reading what was written changes nothing.
void expect_round_trip(const MepSpec& spec) {
  const std::string once = to_json(spec).dump(1);
  EXPECT_EQ(to_json(read(once)).dump(1), once);
}

std::string with(const std::string& param, const std::string& rest = "") {
  return R"({"entry": "f", "sizes": {"n": 100, "cells": {"default": 4, "scale": true}},
 "params": [{"name": "y", "type": "double*", "count": "n", "role": "out"},
)" + param +
         "]" + rest + "}";
}

TEST(MepSpecStructs, ByValue) {
  const MepSpec spec = read(with(R"({"name": "s", "type": "Soa", "fields": {
    "n": "n", "scale": {"type": "double", "value": 0.5},
    "x": {"type": "const double*", "count": "n", "role": "in"},
    "out": {"type": "double*", "count": "n", "role": "out", "live_out": false},
    "low": {"type": "double[3]", "init": {"kind": "uniform", "low": 0, "high": 1}},
    "box": {"type": "Box", "fields": {"nx": "cells"}}}})"));
  const ParamSpec& s = spec.params[1];
  EXPECT_TRUE(s.is_struct_value());
  ASSERT_EQ(s.fields.size(), 6u);
  EXPECT_EQ(s.fields[0].type, "int");
  EXPECT_EQ(s.fields[3].role, Role::out);
  EXPECT_EQ(s.fields[4].init->high, 1);
  EXPECT_EQ(*s.fields[5].fields[0].value, "cells");
  expect_round_trip(spec);
}

TEST(MepSpecStructs, BehindPointers) {
  const MepSpec spec = read(with(R"(
    {"name": "a", "type": "Atom*", "count": "n", "role": "inout", "fields": {
      "pos": {"type": "double[3]", "init": "uniform"}, "type": {"type": "int", "init": {"kind": "integers", "low": 0, "high": 1}},
      "kind": "3", "flags": {"type": "short", "live_out": false}}},
    {"name": "one", "type": "const Soa*", "count": 1, "fields": {
      "n": "n", "f": {"type": "double*", "count": "n", "role": "inout"}}})"));
  EXPECT_FALSE(spec.params[1].is_single_struct());
  EXPECT_EQ(spec.params[1].fields[0].type, "double[3]");
  EXPECT_FALSE(spec.params[1].fields[3].live_out);
  EXPECT_TRUE(spec.params[2].is_single_struct());
  expect_round_trip(spec);
}

TEST(MepSpecStructs, CountAsOutputs) {
  const std::string head = R"({"entry": "f", "params": [{"name": "s", "type": "S", "fields": {"x": )";
  EXPECT_EQ(complaint(head + R"({"type": "int*", "count": 8, "role": "inout"}}}]})"), "no complaint");
  EXPECT_THAT(complaint(head + R"({"type": "int*", "count": 8, "role": "in"}}}]})"),
              HasSubstr("nothing could be checked"));
}

TEST(MepSpecStructs, ComplainsAboutMembers) {
  const auto member = [](const std::string& type, const std::string& fields, const std::string& more = "") {
    return complaint(
        with(R"({"name": "s", "type": ")" + type + "\", " + more + "\"fields\": {" + fields + "}}"));
  };
  EXPECT_THAT(member("S", ""), HasSubstr("at least one member"));
  EXPECT_THAT(member("S", R"("x": {"type": "double"})"),
              AllOf(HasSubstr("params.1.fields.x.type"), HasSubstr("no value")));
  EXPECT_THAT(member("S", R"("x": {"type": "double**", "count": 1, "role": "in"})"),
              HasSubstr("not supported"));
  EXPECT_THAT(member("S", R"("x": "m")"), HasSubstr("\"m\" is not a size"));
  EXPECT_THAT(member("S", R"("x": {"type": "T", "value": 1})"), HasSubstr("element type of \"T\""));
  EXPECT_THAT(member("S", R"("x": 1)", R"("value": 1, )"), HasSubstr("values of their own"));
  const std::string many = R"("count": "n", "role": "out", )";
  EXPECT_THAT(member("S*", R"("x": {"type": "double*"})", many), HasSubstr("members are pointers"));
  EXPECT_THAT(member("S*", R"("x": {"type": "double", "count": 3})", many), HasSubstr("array of structs"));
  EXPECT_THAT(member("S*", R"("x": {"type": "double", "init": "zeros"})", many), HasSubstr("overwritten"));
  EXPECT_THAT(member("S*", R"("x": {"type": "double", "value": 1})", many), HasSubstr("overwritten"));
  EXPECT_THAT(member("S*", R"("x": {"type": "double"})", R"("count": "n", "role": "in", "init": 1, )"),
              HasSubstr("contents of their own"));
  EXPECT_THAT(
      member("S*", R"("x": {"type": "double*", "count": 1, "role": "in"})", R"("count": 1, "role": "out", )"),
      HasSubstr("roles of their own"));
  EXPECT_THAT(complaint(R"({"entry": "f", "params": [{"name": "a", "type": "A*", "count": 8, "role": "out",
                "fields": {"k": {"type": "int", "compare": "invariants"}}}]})"),
              HasSubstr("\"a.k\" is compared by invariants alone"));
}

const char* const symbols = R"(, "globals": [
  {"symbol": "alpha", "type": "double", "value": 2},
  {"symbol": "coef", "type": "float", "count": 16, "init": "uniform"},
  {"symbol": "tab", "type": "double[3]", "count": "n"},
  {"symbol": "dom", "type": "Domain", "fields": {"nx": "cells"}},
  {"symbol": "next", "type": "int*", "count": "n", "role": "in", "init": "permutation"}])";

TEST(MepSpecStructs, LowersSymbols) {
  MepSpec spec = read(with(R"({"name": "n", "type": "int", "value": "n"})", symbols));
  ASSERT_EQ(spec.params.size(), 7u);
  EXPECT_TRUE(spec.setup);
  EXPECT_EQ(*spec.params[2].value, "2");
  EXPECT_EQ(spec.params[3].type, "const float*");
  EXPECT_EQ(spec.params[4].type, "const double (*)[3]");
  EXPECT_TRUE(spec.params[5].is_struct_value());
  EXPECT_EQ(spec.params[6].type, "int*");
  expect_round_trip(spec);
  lower_globals(spec);
  EXPECT_EQ(spec.params.size(), 7u);
}

TEST(MepSpecStructs, ComplainsAboutSymbols) {
  const auto symbol = [](const std::string& text) {
    return complaint(with(R"({"name": "n", "type": "int", "value": "n"})", ", \"globals\": [" + text + "]"));
  };
  EXPECT_THAT(symbol(R"({"symbol": "n", "type": "int", "value": 1})"), HasSubstr("already"));
  EXPECT_THAT(symbol(R"({"symbol": "c", "type": "int"})"), HasSubstr("no value"));
  EXPECT_THAT(symbol(R"({"symbol": "c", "type": "int", "count": 4, "role": "out"})"),
              HasSubstr("is an input"));
  EXPECT_THAT(symbol(R"({"name": "c", "type": "int", "value": 4})"), HasSubstr("symbol"));
}

std::string scheduled(const std::string& steps, const std::string& rest = "") {
  return with(
      R"({"name": "n", "type": "int", "value": "n"}, {"name": "x", "type": "double*", "count": "n", "role": "inout"})",
      ", \"sequence\": [" + steps + "]" + rest);
}

TEST(MepSpecStructs, ReadsSchedules) {
  const MepSpec spec = read(scheduled(R"json(
    {"for": "k", "from": 0, "to": "n", "do": [
      {"launch": "f1", "grid": ["ceil(n/256)", 2], "block": 256, "shared": "8*n", "args": ["x", "k", 3, "1.0f*k"]}]
},
    {"for": "j", "from": "n/2", "to": 0, "step": "/2", "do": [{"launch": "g<float, 2>", "args": []}]},
    {"while": "x", "do": [{"swap": ["x", "y"]}]},
    {"copy": ["x", "y"], "count": "n"}, {"zero": "y"})json",
                                      R"(, "template": ["float", 256])"));
  ASSERT_EQ(spec.sequence.size(), 5u);
  EXPECT_EQ(spec.sequence[0].steps[0].grid, (std::vector<std::string>{"ceil(n/256)", "2"}));
  EXPECT_EQ(spec.sequence[0].steps[0].block, (std::vector<std::string>{"256"}));
  EXPECT_EQ(spec.sequence[0].steps[0].args[3], "1.0f*k");
  EXPECT_EQ(spec.sequence[1].step, "/2");
  EXPECT_EQ(spec.sequence[2].kind, StepSpec::Kind::while_flag);
  EXPECT_EQ(spec.sequence[3].other, "y");
  EXPECT_EQ(spec.template_args, (std::vector<std::string>{"float", "256"}));
  expect_round_trip(spec);
}

TEST(MepSpecStructs, ComplainsAboutSchedules) {
  EXPECT_THAT(complaint(scheduled("")), HasSubstr("holds no step"));
  EXPECT_THAT(complaint(scheduled("{}")), HasSubstr("says nothing to do"));
  EXPECT_THAT(complaint(scheduled(R"({"swap": ["x", "y"], "zero": "x"})")), HasSubstr("either"));
  EXPECT_THAT(complaint(scheduled(R"({"swap": ["x", "x"]})")), HasSubstr("twice"));
  EXPECT_THAT(complaint(scheduled(R"({"zero": "z"})")), HasSubstr("no parameter \"z\""));
  EXPECT_THAT(complaint(scheduled(R"({"launch": "g", "args": ["q"]})")),
              AllOf(HasSubstr("sequence.0.args"), HasSubstr("\"q\" is neither")));
  EXPECT_THAT(complaint(scheduled(R"({"launch": "g", "args": ["x; abort"]})")), HasSubstr("no argument"));

  EXPECT_THAT(complaint(scheduled(R"({"launch": "g(1", "args": []})")), HasSubstr("launch"));

  EXPECT_THAT(complaint(scheduled(R"({"launch": "g"})")), HasSubstr("args"));
  EXPECT_THAT(complaint(scheduled(R"({"launch": "g", "args": [], "grid": ["m"]})")),
              HasSubstr("\"m\" is not"));
  const auto loop = [](const std::string& name) {
    return complaint(
        scheduled(R"({"for": ")" + name + R"(", "from": 0, "to": "n", "do": [{"launch": "g", "args": []}]})",
                  R"(, "defines": {"TILE": 4})"));
  };
  EXPECT_EQ(loop("k"), "no complaint");
  for (const char* taken : {"n", "x", "cells", "TILE", "f"})
    EXPECT_THAT(loop(taken), HasSubstr("hide")) << taken;
  EXPECT_THAT(complaint(with(R"({"name": "n", "type": "int", "value": "n"})", R"(, "template": ["float"])")),
              HasSubstr("no sequence"));
}

TEST(MepSpecStructs, ASpecWithEveryKeyIsRead) {
  const MepSpec spec =
      read_mep_spec(value_or_throw(read_json(NOCTUNE_SOURCE_DIR "/tests/model/specs/everything.mep.json")));
  EXPECT_EQ(spec.params.size(), 11u);
  expect_round_trip(spec);
}

TEST(MepSpecStructs, TravelWithTheirInputs) {
  PrepareTask task;
  task.mep.spec = read(with(R"({"name": "n", "type": "int", "value": "n"})", symbols));
  const std::string before = task.mep.sha();
  task.mep.inputs = "void make();";
  EXPECT_NE(task.mep.sha(), before);
  const PrepareTask back = prepare_task_from(to_json(task));
  EXPECT_EQ(back.mep.inputs, "void make();");
  EXPECT_EQ(back.mep.sha(), task.mep.sha());
}

TEST(MepSpecStructs, TravelWithTheirLibraries) {
  PrepareTask task;
  task.mep.spec = read(with(R"({"name": "n", "type": "int", "value": "n"})", symbols));
  task.mep.flags = {"cublas"};
  const std::string flag = task.mep.sha();
  task.mep.flags.clear();
  task.mep.libraries = {"cublas"};
  EXPECT_NE(task.mep.sha(), flag);
  const PrepareTask back = prepare_task_from(to_json(task));
  EXPECT_EQ(back.mep.libraries, task.mep.libraries);
  EXPECT_EQ(back.mep.sha(), task.mep.sha());
}

}  // namespace
}  // namespace noctune
