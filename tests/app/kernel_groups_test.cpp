#include "app/kernel_groups.hpp"

#include <gmock/gmock.h>

namespace noctune {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Kind = SourceFunction::Kind;

SourceFunction function(const std::string& name, Kind kind) {
  SourceFunction out;
  out.name = name;
  out.kind = kind;
  out.body = {10, 20, 1};
  SourceParam x;
  x.name = "x";
  x.type = "float*";
  x.pointers = 1;
  out.params = {x};
  SourceAccess access;
  access.array = "x";
  out.accesses = {access};
  return out;
}

SourceLaunch launch(const std::string& kernel, const std::string& enclosing) {
  SourceLaunch out;
  out.kernel = kernel;
  out.enclosing = enclosing;
  return out;
}

TEST(KernelGroups, KernelsOfOneHostFunctionAreOne) {
  SourceFacts facts;
  for (const char* name : {"a", "b", "c"}) facts.functions.push_back(function(name, Kind::kernel));
  facts.functions.push_back(function("run", Kind::host));
  facts.launches = {launch("b", "run"), launch("a", "run")};
  EXPECT_THAT(kernel_groups(facts), ElementsAre(ElementsAre("b", "a"), ElementsAre("c")));
}

TEST(KernelGroups, ACFunctionIsAHotspotByItself) {
  SourceFacts facts;
  facts.functions = {function("helper", Kind::host), function("entry", Kind::host)};
  facts.functions[1].c_linkage = true;
  EXPECT_THAT(kernel_groups(facts), ElementsAre(ElementsAre("entry")));
}

TEST(KernelGroups, HelpersOfKernelsAreNone) {
  SourceFacts facts;
  facts.functions = {function("helper", Kind::host), function("work", Kind::host),
                     function("main", Kind::host), function("Class::method", Kind::host)};
  facts.functions[1].calls = {"helper"};
  EXPECT_THAT(kernel_groups(facts), ElementsAre(ElementsAre("work")));
}

TEST(KernelGroups, WithoutArraysThereIsNoKernel) {
  SourceFacts facts;
  facts.functions = {function("f", Kind::host)};
  facts.functions[0].params.clear();
  EXPECT_THAT(kernel_groups(facts), IsEmpty());
  EXPECT_THAT(kernel_groups({}), IsEmpty());
}

}  // namespace
}  // namespace noctune
