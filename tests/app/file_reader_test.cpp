// Whatever bytes a results file holds, `noctune report` ends with a report or a message, never with a crash.
#include "app/file_reader.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "base/files.hpp"
#include "report/csv.hpp"
#include "report/export.hpp"
#include "report/html_page.hpp"
#include "report/report.hpp"
#include "report/t4.hpp"
#include "store/example_campaign.hpp"

namespace noctune {
namespace {

TEST(FileReader, HandsOverTextsAndErrors) {
  const std::string large(1 << 20, 'x');
  const ChildText good = read_in_child("f.h5", [&] { return large; });
  EXPECT_EQ(good.code, 0);
  EXPECT_EQ(good.text, large);
  const ChildText refused = read_in_child("f.h5", []() -> std::string {
    throw UserError({"cannot read f.h5", "it is a folder"}, Exit::usage);
  });
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.text.find("it is a folder"), std::string::npos);
  const ChildText odd =
      read_in_child("f.h5", []() -> std::string { throw std::length_error("vector::reserve"); });
  EXPECT_EQ(odd.code, 1);
  EXPECT_NE(odd.text.find("damaged"), std::string::npos);
}

TEST(FileReader, ACrashIsAMessage) {
  for (const bool by_signal : {true, false}) {
    const ChildText crashed = read_in_child("f.h5", [by_signal]() -> std::string {
      if (by_signal) std::raise(SIGSEGV);
      ::_exit(9);
    });
    EXPECT_NE(crashed.code, 0);
    EXPECT_NE(crashed.text.find("cannot read f.h5"), std::string::npos);
    EXPECT_NE(crashed.text.find("did not survive"), std::string::npos);
  }
}

class DamagedFileTest : public testing::Test {
 protected:
  void SetUp() override {
    auto recorder = value_or_throw(Recorder::open(target_, example::header()));
    example::record(*recorder);
    value_or_throw(recorder->finish("finished"));
    recorder.reset();
    bytes_ = value_or_throw(read_file(target_));
  }
  // Everything that reads the file, on these bytes.
  ChildText read(const std::string& bytes) const {
    value_or_throw(write_file(damaged_, bytes));
    return read_in_child(damaged_.string(), [this] {
      const ResultsFile results = value_or_throw(ResultsFile::open(damaged_));
      const ReportData data = value_or_throw(read_report_data(results));
      std::string out = value_or_throw(render_report(results, {}));
      out += value_or_throw(html_report(results, data));
      out += value_or_throw(t4_text(results, data));
      value_or_throw(write_csv(results, data, scratch_.path() / "csv"));
      for (const ReportHotspot& one : data.hotspots) (void)export_hotspot(results, data, one.name);
      return out;
    });
  }
  static void expect_report_or_message(const ChildText& read, const std::string& what) {
    EXPECT_FALSE(read.text.empty()) << what;
    if (read.code != 0) {
      EXPECT_LT(read.text.size(), 5000U) << what << ": " << read.text;
    }
  }

  ScratchFolder scratch_ = value_or_throw(ScratchFolder::make("damaged"));
  std::filesystem::path target_ = scratch_.path() / "results.h5", damaged_ = scratch_.path() / "damaged.h5";
  std::string bytes_;
};

TEST_F(DamagedFileTest, WholeItReads) {
  EXPECT_EQ(read(bytes_).code, 0);
}

TEST_F(DamagedFileTest, Truncated) {
  for (int i = 0; i < 40; ++i) {
    const std::size_t length = bytes_.size() * static_cast<std::size_t>(i) / 40;
    const ChildText found = read(bytes_.substr(0, length));
    EXPECT_NE(found.code, 0) << length;
    expect_report_or_message(found, "cut at " + std::to_string(length));
  }
}

TEST_F(DamagedFileTest, Flipped) {
  const char* wanted = std::getenv("NOCTUNE_FUZZ");
  const int rounds = wanted ? std::atoi(wanted) : 150;
  std::mt19937_64 random(11);
  int whole = 0, refused = 0, survived = 0;
  for (int i = 0; i < rounds; ++i) {
    std::string bytes = bytes_;
    // Half of them in the first kilobytes, where the library's own structures are.
    const std::size_t range = i % 2 ? bytes.size() : std::min<std::size_t>(bytes.size(), 8192);
    for (int n = 1 + i % 8; n > 0; --n) bytes[random() % range] = static_cast<char>(random());
    const ChildText found = read(bytes);
    expect_report_or_message(found, "round " + std::to_string(i));
    ++(found.code == 0                                           ? whole
       : found.text.find("did not survive") == std::string::npos ? refused
                                                                 : survived);
  }
  std::printf("%d files: %d read, %d refused, %d crashed their child\n", rounds, whole, refused, survived);
}

TEST_F(DamagedFileTest, ForeignFilesAreNamedAsSuch) {
  EXPECT_NE(read("PNG, or so").text.find("it is no HDF5 file"), std::string::npos);
  EXPECT_NE(read("").text.find("it is no HDF5 file"), std::string::npos);
  {
    auto foreign = value_or_throw(Hdf5File::create(target_.string() + ".foreign"));
    value_or_throw(foreign.close());
  }
  EXPECT_NE(
      read(value_or_throw(read_file(target_.string() + ".foreign"))).text.find("was not written by Noctune"),
      std::string::npos);
}

}  // namespace
}  // namespace noctune
