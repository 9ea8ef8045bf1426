#include "evaluator/runtime_store.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "evaluator_fixture.hpp"

namespace noctune {
namespace {

namespace fs = std::filesystem;

class StoredRuntime : public testing::Test {
 protected:
  const ScratchFolder home_ = value_or_throw(ScratchFolder::make("noctune-test"));
  const fs::path folder_ = home_.path() / "cache" / "noctune" / "runtimes";
  const fs::path object_ = home_.path() / "driver.o", copy_ = home_.path() / "copy.o";
  const RuntimeStore store_{folder_};

  void keep(const std::string& key, const std::string& bytes) {
    value_or_throw(write_file(object_, bytes));
    store_.keep(key, object_);
  }
};

TEST_F(StoredRuntime, ComesBackAsItWas) {
  const std::string bytes = std::string("a\0b\nc", 5);
  EXPECT_FALSE(store_.fetch("k", copy_));
  keep("k", bytes);
  ASSERT_TRUE(store_.fetch("k", copy_));
  EXPECT_EQ(value_or_throw(read_file(copy_)), bytes);
  EXPECT_FALSE(store_.fetch("another", copy_));
}

TEST_F(StoredRuntime, IsNotUsedWhenDamaged) {
  keep("k", "object code");
  const std::string whole = value_or_throw(read_file(folder_ / "k"));
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] ^= 1;
    value_or_throw(write_file(folder_ / "k", damaged));
    EXPECT_FALSE(store_.fetch("k", copy_)) << "byte " << i;
    value_or_throw(write_file(folder_ / "k", whole.substr(0, i)));
    EXPECT_FALSE(store_.fetch("k", copy_)) << "cut to " << i;
  }
  value_or_throw(write_file(folder_ / "k", whole));
  EXPECT_TRUE(store_.fetch("k", copy_));
}

TEST_F(StoredRuntime, OnlyTheNewestStay) {
  for (int i = 0; i < 40; ++i) keep(std::to_string(i), "object");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 16);
  EXPECT_TRUE(store_.fetch("39", copy_));
}

TEST_F(StoredRuntime, IsLeftOutWhereNothingCanBeKept) {
  value_or_throw(write_file(object_, "object"));
  const RuntimeStore nowhere{fs::path()}, below_a_file{object_ / "cache"};
  for (const RuntimeStore* store : {&nowhere, &below_a_file}) {
    store->keep("k", object_);
    EXPECT_FALSE(store->fetch("k", copy_));
  }
  EXPECT_EQ(value_or_throw(read_file(object_)), "object");
}

TEST(RuntimeKey, TellsWhateverMakesAnotherObject) {
  const DriverBuild cuda{"cuda", "sm_90", "/cuda/lib"};
  const std::string key = RuntimeStore::key(cuda, "g++", "12");
  EXPECT_EQ(RuntimeStore::key(cuda, "g++", "12"), key);
  EXPECT_NE(RuntimeStore::key(cuda, "g++", "13"), key);
  EXPECT_NE(RuntimeStore::key(cuda, "c++filt", "12"), key);
  EXPECT_NE(RuntimeStore::key({"cuda", "sm_80", "/cuda/lib"}, "g++", "12"), key);
  EXPECT_NE(RuntimeStore::key({}, "g++", "12"), key);
  ::setenv("CPATH", "/opt/other", 1);
  EXPECT_NE(RuntimeStore::key(cuda, "g++", "12"), key);
  ::unsetenv("CPATH");
}

// What a compiler changed under the same name and date has left, or a hand.
TEST_F(StoredRuntime, ThatDoesNotLinkIsCompiledAnew) {
  const char* before = std::getenv("XDG_CACHE_HOME");
  const std::string restored = before ? before : "";
  ::setenv("XDG_CACHE_HOME", (home_.path() / "cache").c_str(), 1);
  const PrepareTask task = small_task(axpy_spec, axpy_source);
  const std::string key = RuntimeStore::key({}, task.platform.compiler, "");
  keep(key, "not an object");
  RealEvaluator real;
  sized_bench(real, task, {{"n", 20000}}, {{"n", 131}});
  EXPECT_FALSE(real.bench->runtime_is_kept);

  // The next run takes what this one kept.
  RealEvaluator next;
  sized_bench(next, task, {{"n", 20000}}, {{"n", 131}});
  EXPECT_TRUE(next.bench->runtime_is_kept);
  before ? ::setenv("XDG_CACHE_HOME", restored.c_str(), 1) : ::unsetenv("XDG_CACHE_HOME");
}

}  // namespace
}  // namespace noctune
