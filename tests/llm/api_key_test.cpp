#include "llm/api_key.hpp"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <type_traits>

#include "base/files.hpp"
#include "base/json.hpp"

namespace noctune {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

template <class T>
concept Printable = requires(std::ostream& out, const T& value) {
  out << value;
};
static_assert(!Printable<ApiKey>);
static_assert(!std::is_convertible_v<ApiKey, std::string>);
static_assert(!std::is_constructible_v<Json, ApiKey>);

class ApiKeyTest : public testing::Test {
 protected:
  ApiKeyTest() {
    for (const char* name : {"OPENAI_API_KEY", "OPENAI_API_KEY_FILE", "ANTHROPIC_API_KEY", "MY_KEY"})
      ::unsetenv(name);
    settings.provider = "openai";
  }
  std::string file(const std::string& content, int mode = 0600) {
    const fs::path path = folder.path() / "key";
    value_or_throw(write_file(path, content));
    fs::permissions(path, static_cast<fs::perms>(mode));
    return path;
  }
  static std::string header_of(const ApiKey& key) { return key.header("Authorization", "Bearer ").second; }

  ScratchFolder folder = value_or_throw(ScratchFolder::make("key"));
  ModelSettings settings;
};

TEST_F(ApiKeyTest, ComesFromTheFileFirst) {
  ::setenv("OPENAI_API_KEY", "sk-environment", 1);
  settings.key_file = file(" sk-file-canary\n");
  const ApiKey key = value_or_throw(ApiKey::find(settings));
  EXPECT_EQ(header_of(key), "Bearer sk-file-canary");
  EXPECT_EQ(key.warning(), "");
}

TEST_F(ApiKeyTest, ComesFromTheProvidersVariableOrItsFile) {
  ::setenv("OPENAI_API_KEY", "sk-environment", 1);
  EXPECT_EQ(header_of(value_or_throw(ApiKey::find(settings))), "Bearer sk-environment");
  settings.provider = "anthropic";
  EXPECT_FALSE(ApiKey::find(settings).has_value());
  ::setenv("MY_KEY", "sk-mine", 1);
  settings.key_env = "MY_KEY";
  EXPECT_EQ(header_of(value_or_throw(ApiKey::find(settings))), "Bearer sk-mine");
  ::unsetenv("OPENAI_API_KEY");
  ::setenv("OPENAI_API_KEY_FILE", file("sk-named").c_str(), 1);
  settings = {};
  settings.provider = "openai";
  EXPECT_EQ(header_of(value_or_throw(ApiKey::find(settings))), "Bearer sk-named");
  ::unsetenv("OPENAI_API_KEY_FILE");
}

TEST_F(ApiKeyTest, AFileThatOthersCanReadIsWarnedOf) {
  settings.key_file = file("sk-open", 0644);
  const ApiKey key = value_or_throw(ApiKey::find(settings));
  EXPECT_THAT(key.warning(), HasSubstr("chmod 600"));
  EXPECT_FALSE(key.empty());
}

TEST_F(ApiKeyTest, MissingAndBrokenKeysAreErrorsThatShowNoKey) {
  EXPECT_THAT(ApiKey::find(settings).error().text(), HasSubstr("OPENAI_API_KEY"));
  settings.key_file = "/nowhere/key";
  EXPECT_FALSE(ApiKey::find(settings).has_value());
  for (const char* content : {"", "  \n", "two words", "line\nX-Injected: 1", "caf\xC3\xA9"}) {
    settings.key_file = file(content);
    const auto key = ApiKey::find(settings);
    ASSERT_FALSE(key.has_value()) << content;
    EXPECT_EQ(key.error().text().find("Injected"), std::string::npos);
  }
}

TEST_F(ApiKeyTest, ALocalServerNeedsNone) {
  settings.local = true;
  EXPECT_TRUE(value_or_throw(ApiKey::find(settings)).empty());
  settings.key_env = "MY_KEY";
  EXPECT_FALSE(ApiKey::find(settings).has_value());
}

TEST_F(ApiKeyTest, ReloadsARenewedFileAndRedactsBoth) {
  settings.key_file = file("sk-first");
  ApiKey key = value_or_throw(ApiKey::find(settings));
  EXPECT_FALSE(key.reload());
  file("sk-second");
  EXPECT_TRUE(key.reload());
  EXPECT_EQ(header_of(key), "Bearer sk-second");
  EXPECT_EQ(key.redacted("sk-first, sk-second!sk-second"), "[key], [key]![key]");
  file("");
  EXPECT_FALSE(key.reload());
  EXPECT_EQ(header_of(key), "Bearer sk-second");
  EXPECT_EQ(ApiKey().redacted("text"), "text");
}

}  // namespace
}  // namespace noctune
