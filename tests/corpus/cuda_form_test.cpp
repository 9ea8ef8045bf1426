// The CUDA form of every entry is C++ that clang takes with the words of cuda_words.hpp; no toolkit is
// needed.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <memory>
#include <regex>

#include "base/files.hpp"
#include "corpus/corpus_entry.hpp"
#include "places.hpp"

namespace noctune {
namespace {

class CorpusCudaFormCheck : public ::testing::Test {
 protected:
  // What the build supplies, then the source without headers: the application's are not there, and the words
  // stand for the toolkit's.
  static std::string text(const CorpusEntry& entry) {
    std::string out;
    for (const auto* defines : {&entry.defines, &entry.check_defines})
      for (const auto& [name, value] : *defines) out += "#define " + name + " " + value + "\n";
    static const std::regex include("(^|\n)[ \t]*#[ \t]*include[^\n]*");
    return out + "#line 1 \"source.cu\"\n" + std::regex_replace(entry.cuda, include, "$1");
  }

  // The compiler's messages; empty when it takes the text.
  static std::string messages(const std::string& source) {
    const std::string command =
        std::string(NOCTUNE_CLANG) +
        " -std=c++17 -x cuda --cuda-host-only -nocudainc -nocudalib -fsyntax-only -Wno-unknown-cuda-version"
        " -Xclang -fcuda-allow-variadic-functions -include " NOCTUNE_SOURCE_DIR
        "/tests/corpus/cuda_words.hpp " +
        source + " 2>&1";
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    std::string out;
    std::array<char, 4096> part;
    while (pipe && std::fgets(part.data(), part.size(), pipe.get())) out += part.data();
    return out;
  }
};

// Those that should compile: what is refused often must not.
std::vector<CorpusEntry> complete_forms() {
  std::vector<CorpusEntry> out;
  for (const CorpusEntry& entry : corpus_entries())
    if (!entry.cuda.empty() && entry.expect != "refuse") out.push_back(entry);
  return out;
}

class CorpusCudaForm : public CorpusCudaFormCheck, public ::testing::WithParamInterface<CorpusEntry> {};

TEST_P(CorpusCudaForm, Compiles) {
  const CorpusEntry& entry = GetParam();
  if (std::string(NOCTUNE_CLANG).empty()) GTEST_SKIP() << "clang++ is not installed";
  const ScratchFolder folder = value_or_throw(ScratchFolder::make("corpus-"));
  const std::string source = (folder.path() / "isolated.cu").string();
  ASSERT_TRUE(write_file(source, text(entry)));
  EXPECT_EQ(messages(source).find("error:"), std::string::npos) << messages(source);
}

// The check above must be able to fail.
TEST_F(CorpusCudaFormCheck, SeesAnUnknownType) {
  if (std::string(NOCTUNE_CLANG).empty()) GTEST_SKIP() << "clang++ is not installed";
  const ScratchFolder folder = value_or_throw(ScratchFolder::make("corpus-"));
  const std::string source = (folder.path() / "isolated.cu").string();
  ASSERT_TRUE(write_file(source, "__global__ void f(Missing* a) { a[threadIdx.x] = 0; }\n"));
  EXPECT_NE(messages(source).find("error: unknown type name 'Missing'"), std::string::npos)
      << messages(source);
}

INSTANTIATE_TEST_SUITE_P(Corpus, CorpusCudaForm, ::testing::ValuesIn(complete_forms()),
                         [](const auto& entry) { return entry.param.name; });

}  // namespace
}  // namespace noctune
