#include "base/hdf5.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "base/files.hpp"

namespace noctune {
namespace {

class Hdf5Test : public testing::Test {
 protected:
  ScratchFolder scratch_ = value_or_throw(ScratchFolder::make("hdf5-test"));
  std::filesystem::path path_ = scratch_.path() / "a.h5";
  std::vector<Hdf5Member> members_ = {
      {"id", Hdf5Kind::int64},
      {"value", Hdf5Kind::float64},
      {"small", Hdf5Kind::int32},
      {"name", Hdf5Kind::text, 5},
      {"kind", Hdf5Kind::enumeration, 0, {{"none", -1}, {"first", 0}, {"second", 1}}}};

  static std::string record(long long id, double value, int small, const char* name, signed char kind) {
    std::string out(8 + 8 + 4 + 5 + 1, '\0');
    std::memcpy(out.data(), &id, 8);
    std::memcpy(out.data() + 8, &value, 8);
    std::memcpy(out.data() + 16, &small, 4);
    std::memcpy(out.data() + 20, name, std::min<std::size_t>(5, std::strlen(name)));
    out[25] = static_cast<char>(kind);
    return out;
  }
};

TEST_F(Hdf5Test, KeepsEveryKindOfColumnOverAppends) {
  {
    Hdf5File file = value_or_throw(Hdf5File::create(path_));
    Hdf5Table table = value_or_throw(file.create_table("rows", members_, 2));
    const std::string two = record(1, 0.1, -7, "ab", 0) + record(2, NAN, 8, "vwxyz", 1);
    value_or_throw(table.append(two.data(), 2));
    const std::string last = record(-1, INFINITY, 0, "", -1);
    value_or_throw(table.append(last.data(), 1));
    value_or_throw(table.close());
    value_or_throw(file.close());
  }
  const Hdf5File file = value_or_throw(Hdf5File::open(path_));
  const Hdf5Table table = value_or_throw(file.open_table("rows"));
  EXPECT_EQ(value_or_throw(table.rows()), 3);
  EXPECT_EQ(table.column_names(), (std::vector<std::string>{"id", "value", "small", "name", "kind"}));
  const Hdf5Columns columns = value_or_throw(table.read({"kind", "name", "id", "value", "small"}));
  EXPECT_EQ(columns.integers("id"), (std::vector<long long>{1, 2, -1}));
  EXPECT_EQ(columns.integers("small"), (std::vector<long long>{-7, 8, 0}));
  EXPECT_EQ(columns.texts("name"), (std::vector<std::string>{"ab", "vwxyz", ""}));
  EXPECT_EQ(columns.texts("kind"), (std::vector<std::string>{"first", "second", "none"}));
  EXPECT_EQ(columns.numbers("value")[0], 0.1);
  EXPECT_TRUE(std::isnan(columns.numbers("value")[1]));
  EXPECT_TRUE(std::isinf(columns.numbers("value")[2]));
}

TEST_F(Hdf5Test, KeepsBytesAndAttributes) {
  const std::string bytes("a\0b\xff", 4);
  {
    Hdf5File file = value_or_throw(Hdf5File::create(path_));
    Hdf5Table table = value_or_throw(file.create_table("bytes", {}, 3));
    value_or_throw(table.append(bytes.data(), bytes.size()));
    value_or_throw(file.set_attribute("/", "empty", ""));
    value_or_throw(file.set_attribute("/", "text",
                                      "gr\xc3\xb6\xc3\x9f"
                                      "er"));
    value_or_throw(file.set_attribute("bytes", "version", 3LL));
  }
  const Hdf5File file = value_or_throw(Hdf5File::open(path_));
  const Hdf5Table table = value_or_throw(file.open_table("bytes"));
  EXPECT_EQ(value_or_throw(table.read_bytes(0, 4)), bytes);
  EXPECT_EQ(value_or_throw(table.read_bytes(4, 0)), "");
  EXPECT_FALSE(table.read_bytes(2, 3));
  EXPECT_EQ(value_or_throw(file.text_attribute("/", "empty")), "");
  EXPECT_EQ(value_or_throw(file.text_attribute("/", "text")),
            "gr\xc3\xb6\xc3\x9f"
            "er");
  EXPECT_EQ(value_or_throw(file.integer_attribute("bytes", "version")), 3);
  EXPECT_FALSE(file.text_attribute("bytes", "version"));
  EXPECT_FALSE(file.integer_attribute("/", "absent"));
}

TEST_F(Hdf5Test, FailuresAreValuesWithReasons) {
  EXPECT_FALSE(is_hdf5(path_));
  const auto missing = Hdf5File::open(path_);
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().reason.find("No such file"), std::string::npos) << missing.error().text();
  value_or_throw(write_file(path_, "not HDF5 at all"));
  EXPECT_FALSE(is_hdf5(path_));
  EXPECT_FALSE(Hdf5File::open(path_));
  EXPECT_FALSE(Hdf5File::create(scratch_.path() / "none" / "a.h5"));

  Hdf5File file = value_or_throw(Hdf5File::create(path_));
  value_or_throw(file.create_table("rows", members_, 2));
  EXPECT_TRUE(file.has("rows"));
  EXPECT_FALSE(file.has("others"));
  EXPECT_FALSE(file.open_table("others"));
  EXPECT_FALSE(file.create_table("rows", members_, 2));
  const Hdf5Table table = value_or_throw(file.open_table("rows"));
  const auto read = table.read({"id", "absent"});
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().reason, "it has no column absent");
}

}  // namespace
}  // namespace noctune
