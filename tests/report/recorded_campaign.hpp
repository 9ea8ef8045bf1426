// The example campaign as a results file, with the minimal executable program of its first hotspot.
#pragma once

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "report/report_data.hpp"
#include "store/example_campaign.hpp"

namespace noctune {

class RecordedCampaign : public testing::Test {
 protected:
  void SetUp() override {
    auto recorder = value_or_throw(Recorder::open(target_, example::header()));
    example::record(*recorder);
    const std::string spec = recorder->text(
        "mep", R"({"spec_version": 1, "entry": "gemm", "check": {"invariants": "mine/own_check.cpp"},
                   "data": [{"name": "matrix", "file": "captured/a.bin"}]})");
    recorder->row("meps", {{"hotspot", 1},
                           {"by", "user"},
                           {"spec_sha", spec},
                           {"original_sha", recorder->text("mep", "void gemm() {}")},
                           {"context_sha", recorder->text("mep", "// context\n")},
                           {"check_sha", recorder->text("mep", "// check\n")},
                           {"usable", 1}});
    recorder->row("meps", {{"hotspot", 3}, {"usable", 0}, {"reason", "it does not build"}});
    value_or_throw(recorder->finish("finished"));
  }
  ResultsFile results() const { return value_or_throw(ResultsFile::open(target_)); }
  ReportData data() const { return value_or_throw(read_report_data(results())); }
  static bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }
  static std::size_t count(const std::string& text, const std::string& part) {
    std::size_t out = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
      ++out;
    return out;
  }

  ScratchFolder scratch_ = value_or_throw(ScratchFolder::make("recorded-campaign"));
  std::filesystem::path target_ = scratch_.path() / "results.h5";
};

}  // namespace noctune
