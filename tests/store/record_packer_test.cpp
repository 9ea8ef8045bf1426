#include "store/record_packer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace noctune {
namespace {

template <class T>
T load(const std::string& record, std::size_t offset) {
  T value;
  std::memcpy(&value, record.data() + offset, sizeof value);
  return value;
}

class RecordPackerTest : public testing::Test {
 protected:
  Table table_{"things",
               "for the test",
               {{"id", ColumnType::int64, "", "id"},
                {"small", ColumnType::int32, "1", "small"},
                {"value", ColumnType::float64, "s", "value"},
                {"name", ColumnType::text, "", "name", 6},
                {"kind", ColumnType::enumeration, "", "kind", 0, {"a", "b"}}}};
  RecordPacker packer_{table_};
  std::string record_;

  template <class T>
  T get(const char* column) const {
    return load<T>(record_, packer_.offset(packer_.column(column)));
  }
  std::string text(const char* column) const {
    const char* at = record_.data() + packer_.offset(packer_.column(column));
    return std::string(at, strnlen(at, 6));
  }
};

TEST_F(RecordPackerTest, PacksWithoutGapsAndMarksWhatIsMissing) {
  EXPECT_EQ(packer_.size(), 8u + 4 + 8 + 6 + 1);
  EXPECT_FALSE(packer_.pack(Json::object(), record_));
  EXPECT_EQ(get<long long>("id"), -1);
  EXPECT_EQ(get<int>("small"), -1);
  EXPECT_TRUE(std::isnan(get<double>("value")));
  EXPECT_EQ(text("name"), "");
  EXPECT_EQ(get<signed char>("kind"), -1);
}

TEST_F(RecordPackerTest, TakesEveryKindOfValue) {
  EXPECT_FALSE(packer_.pack(
      {{"id", 5}, {"small", true}, {"value", "-inf"}, {"name", "abcdef"}, {"kind", "b"}}, record_));
  EXPECT_EQ(get<long long>("id"), 5);
  EXPECT_EQ(get<int>("small"), 1);
  EXPECT_EQ(get<double>("value"), -INFINITY);
  EXPECT_EQ(text("name"), "abcdef");
  EXPECT_EQ(get<signed char>("kind"), 1);
  EXPECT_FALSE(
      packer_.pack({{"id", nullptr}, {"value", nullptr}, {"name", nullptr}, {"kind", "none"}}, record_));
  EXPECT_EQ(get<long long>("id"), -1);
}

TEST_F(RecordPackerTest, CutsTextAtAWholeCharacter) {
  EXPECT_FALSE(packer_.pack({{"name", "abcde\xc3\xa4"}}, record_));
  EXPECT_EQ(text("name"), "abcde");
  EXPECT_FALSE(packer_.pack({{"name", "abcd\xc3\xa4z"}}, record_));
  EXPECT_EQ(text("name"), "abcd\xc3\xa4");
  EXPECT_FALSE(packer_.pack({{"name", Json::array({1, 2})}}, record_));
  EXPECT_EQ(text("name"), "[1,2]");
}

TEST_F(RecordPackerTest, ComplainsAboutWhatDoesNotFit) {
  EXPECT_NE(packer_.pack({{"colour", 1}}, record_)->find("no column colour"), std::string::npos);
  EXPECT_TRUE(packer_.pack({{"id", "five"}}, record_));
  EXPECT_TRUE(packer_.pack({{"id", 1.5}}, record_));
  EXPECT_TRUE(packer_.pack({{"value", "much"}}, record_));
  EXPECT_TRUE(packer_.pack({{"kind", "c"}}, record_));
  EXPECT_EQ(get<signed char>("kind"), -1);
  EXPECT_THROW(packer_.column("colour"), std::logic_error);
}

}  // namespace
}  // namespace noctune
