#include "coordinator/data_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.hpp"
#include "base/hdf5.hpp"

namespace noctune {
namespace {

using ::testing::HasSubstr;

MepSpec spec_with(const std::string& file, const std::string& type = "double") {
  MepSpec spec;
  spec.data = {{"rec", "file", {}, {{"x", type, "", file}}}};
  return spec;
}

class DataFiles : public ::testing::Test {
 protected:
  std::string located(const std::string& file, const std::string& type = "double") {
    MepSpec spec = spec_with(file, type);
    locate_data_files(spec, (folder() / "f.mep.json").string());
    return spec.data[0].parts[0].file;
  }
  std::string complaint(const std::string& file, const std::string& type = "double") {
    try {
      located(file, type);
    } catch (const UserError& error) {
      return error.what();
    }
    return "no complaint";
  }
  // An array of the bytes 0 ... 9 at /bytes.
  void write_hdf5() {
    Hdf5File file = value_or_throw(Hdf5File::create(folder() / "caught.h5"));
    Hdf5Table table = value_or_throw(file.create_table("/bytes", {}, 16));
    const std::string bytes("\0\1\2\3\4\5\6\7\10\11", 10);
    value_or_throw(table.append(bytes.data(), bytes.size()));
    value_or_throw(table.close());
    value_or_throw(file.close());
  }
  std::filesystem::path folder() const { return folder_.path(); }

 private:
  ScratchFolder folder_ = value_or_throw(ScratchFolder::make("noctune-data-files-test"));
};

TEST_F(DataFiles, AreBesideTheSpec) {
  EXPECT_EQ(located("caught/x.{n}.bin"), (folder() / "caught/x.{n}.bin").string());
  EXPECT_EQ(located("/data/x.bin"), "/data/x.bin");
}

TEST_F(DataFiles, DatasetsBecomeRawElementsOfTheirType) {
  write_hdf5();
  const std::string file = located("caught.h5:/bytes", "short");
  EXPECT_EQ(std::filesystem::path(file).parent_path(), folder());
  const std::string raw = value_or_throw(read_file(file));
  ASSERT_EQ(raw.size(), 20u);
  EXPECT_EQ(raw[18], 9);
  EXPECT_EQ(raw[19], 0);
  EXPECT_NE(located("caught.h5:/bytes"), file) << "another type is another copy";
}

TEST_F(DataFiles, DatasetsThatAreNotThereAreNamed) {
  write_hdf5();
  EXPECT_THAT(complaint("caught.h5:/x"), AllOf(HasSubstr("data.rec.parts.x"), HasSubstr("caught.h5:/x")));
  EXPECT_THAT(complaint("other.h5:/x"), HasSubstr("other.h5"));
  EXPECT_THAT(complaint("caught.h5:/bytes", "std::complex<double>"), HasSubstr("raw little-endian"));
}

}  // namespace
}  // namespace noctune
