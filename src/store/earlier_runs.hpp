// Everything a new run has to know of the runs before it.
#pragma once

#include <filesystem>
#include <string>

#include "base/error.hpp"
#include "base/json.hpp"
#include "model/campaign_decides_json.hpp"
#include "store/journal_reader.hpp"
#include "store/resume_index.hpp"

namespace noctune {

struct EarlierRuns {
  ResumeIndex index;
  JournalFacts facts;
  Json accepted = Json::object();  // last record of each run that this run builds on
  std::size_t runs = 0;
  long long generation = 0;  // the highest
  std::string campaign, campaign_uuid;
  // Of the latest run:
  Decisive decides;
  std::string config, version, status;  // status: how it ended; empty: it was killed
  bool worked = true;                   // it recorded an evaluation or an answer of the model
};

// The decisive settings of the latest run; none before the first.
Result<Decisive> latest_settings(const std::filesystem::path& journal_folder);

Result<EarlierRuns> read_earlier_runs(const std::filesystem::path& journal_folder);

}  // namespace noctune
