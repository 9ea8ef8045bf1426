// The report as a hostile process might leave it: built by hand from the same frames.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "mep/driver_report.hpp"
#include "mep/runtime/wire.hpp"

namespace noctune {
namespace {

using ::testing::HasSubstr;

constexpr std::uint64_t nonce = 0xfeedULL;

class Stream {
 public:
  explicit Stream(std::uint64_t key = nonce) : key_(key) {}
  Stream& frame(FrameType type, const std::string& payload) {
    FrameHeader header{frame_magic, static_cast<std::uint32_t>(type), sequence_++, payload.size(), 0};
    header.tag = frame_tag(header, key_, payload.data(), payload.size());
    bytes.append(reinterpret_cast<const char*>(&header), sizeof header);
    bytes += payload;
    bytes.resize(bytes.size() + padded(payload.size()) - payload.size(), '\0');
    return *this;
  }
  Stream& hello() {
    return frame(FrameType::hello, count(wire_version) + text("gemm") + count(2) + number(0.1) + count(0));
  }
  Stream& run(std::uint64_t index) {
    frame(FrameType::run_begin, count(index));
    frame(FrameType::output, count(index) + count(3) + text("f64") + std::string(16, 'x'));
    return frame(FrameType::run_end, count(index) + number(1) + text("") + text("x changed"));
  }
  Stream& end() { return frame(FrameType::end, count(sequence_) + count(0) + count(0)); }

  static std::string count(std::uint64_t value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
  }
  static std::string number(double value) { return {reinterpret_cast<const char*>(&value), sizeof value}; }
  static std::string text(std::string value) {
    const std::string length = count(value.size());
    value.resize(padded(value.size()), '\0');
    return length + value;
  }

  std::string bytes;

 private:
  std::uint64_t key_, sequence_ = 0;
};

std::string problem(const std::string& bytes) {
  const auto report = parse_report(bytes, nonce);
  return report ? "accepted" : report.error().text();
}

TEST(ParseReport, AcceptsAWholeStream) {
  Stream stream;
  stream.hello().run(0).run(1).end();
  const auto report = parse_report(stream.bytes, nonce);
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_TRUE(report->ended);
  EXPECT_EQ(report->entry, "gemm");
  ASSERT_EQ(report->runs.size(), 2u);
  EXPECT_TRUE(report->runs[1].guards_ok);
  EXPECT_FALSE(report->runs[1].inputs_ok);
  EXPECT_EQ(report->runs[1].outputs[0].bytes, std::string(16, 'x'));
}

TEST(ParseReport, EveryTruncationIsAnError) {
  Stream stream;
  stream.hello().run(0).end();
  for (std::size_t length = 0; length < stream.bytes.size(); ++length)
    EXPECT_NE(problem(stream.bytes.substr(0, length)), "accepted") << length;
}

TEST(ParseReport, EveryFlippedByteIsAnError) {
  Stream stream;
  stream.hello().run(0).end();
  for (std::size_t at = 0; at < stream.bytes.size(); ++at) {
    std::string forged = stream.bytes;
    forged[at] = static_cast<char>(forged[at] ^ 0x10);
    const bool padding = forged.substr(0, at) == stream.bytes.substr(0, at) && stream.bytes[at] == '\0' &&
                         problem(forged) == "accepted";
    EXPECT_FALSE(padding) << at;
  }
}

TEST(ParseReport, AnotherNonceIsAnError) {
  Stream stream(nonce + 1);
  stream.hello().run(0).end();
  EXPECT_THAT(problem(stream.bytes), HasSubstr("checksum"));
}

TEST(ParseReport, AReplayedFrameIsAnError) {
  Stream stream;
  stream.hello();
  const std::string first = stream.bytes;
  stream.end();
  EXPECT_THAT(problem(first + first), HasSubstr("foreign bytes"));
  EXPECT_THAT(problem(stream.bytes + stream.bytes), HasSubstr("foreign bytes"));
}

TEST(ParseReport, ForeignBytesAreAnError) {
  Stream stream;
  stream.hello().run(0).end();
  EXPECT_THAT(problem(stream.bytes + std::string(64, 'x')), HasSubstr("foreign bytes"));
  EXPECT_THAT(problem("hello world, this is not a report at all"), HasSubstr("foreign bytes"));
}

TEST(ParseReport, FramesOutOfPlaceAreAnError) {
  EXPECT_THAT(problem(Stream().run(0).end().bytes), HasSubstr("not expected there"));
  EXPECT_THAT(problem(Stream().hello().run(1).end().bytes), HasSubstr("not expected there"));
  EXPECT_THAT(problem(Stream().hello().hello().end().bytes), HasSubstr("not expected there"));
  Stream late;
  late.hello().frame(FrameType::run_begin, Stream::count(0)).end();
  EXPECT_THAT(problem(late.bytes), HasSubstr("in run 1"));
  Stream stray;
  stray.hello()
      .frame(FrameType::output, Stream::count(no_run) + Stream::count(0) + Stream::text("f64"))
      .end();
  EXPECT_THAT(problem(stray.bytes), HasSubstr("not expected there"));
  Stream unknown;
  unknown.hello().frame(FrameType::output, Stream::count(0) + Stream::count(0) + Stream::text("f65"));
  EXPECT_NE(problem(unknown.bytes), "accepted");
}

TEST(ParseReport, ShortPayloadsAreAnError) {
  Stream stream;
  stream.hello().frame(FrameType::probe, Stream::number(1)).end();
  EXPECT_NE(problem(stream.bytes), "accepted");
  Stream longer;
  longer.frame(FrameType::hello, Stream::count(wire_version) + Stream::count(1000000) + "gemm");
  EXPECT_NE(problem(longer.bytes), "accepted");
}

TEST(ParseReport, AnErrorFrameIsAnAnswer) {
  Stream stream;
  stream.frame(FrameType::error, Stream::count(1) + Stream::text("no entry"));
  const auto report = parse_report(stream.bytes, nonce);
  ASSERT_TRUE(report);
  EXPECT_FALSE(report->ended);
  EXPECT_EQ(report->fault, DriverFault::plugin);
  EXPECT_EQ(report->error, "no entry");
}

TEST(ParseReport, JudgementsComeInTheOrderOfTheRuns) {
  const auto judged = [](std::uint64_t index, bool holds, const std::string& why) {
    return Stream::count(index) + Stream::count(holds) + Stream::text(why);
  };
  Stream good;
  good.hello();
  good.frame(FrameType::judged, judged(0, true, ""));
  good.frame(FrameType::judged, judged(1, false, "two are alike"));
  good.end();
  const auto report = parse_report(good.bytes, nonce);
  ASSERT_TRUE(report) << report.error().text();
  ASSERT_EQ(report->judged.size(), 2U);
  EXPECT_TRUE(report->judged[0].holds);
  EXPECT_FALSE(report->judged[1].holds);
  EXPECT_EQ(report->judged[1].why, "two are alike");
  Stream skipped, cut;
  skipped.hello().frame(FrameType::judged, judged(1, true, "")).end();
  EXPECT_THAT(problem(skipped.bytes), HasSubstr("not expected"));
  cut.hello().frame(FrameType::judged, Stream::count(0) + Stream::count(1)).end();
  EXPECT_THAT(problem(cut.bytes), HasSubstr("not expected"));
}

}  // namespace
}  // namespace noctune
