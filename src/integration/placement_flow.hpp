// The way of winners back into one application: copy, patch, build, verify, prove, measure, roll back. The
// original folder is read and never written.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/process.hpp"
#include "integration/placement.hpp"
#include "integration/placer.hpp"
#include "integration/winners.hpp"
#include "model/campaign.hpp"

namespace noctune {

struct HotspotPlan {
  HotspotConfig config;  // with its place
  TunedHotspot tuned;
};

struct PlacementServices {
  ProcessHelper* helper = nullptr;
  const Placer* placer = nullptr;
  PlaceAdviser* adviser = nullptr;                 // asked where that cannot; null: nobody
  std::function<void(const std::string&)> step;    // what is being done
  std::function<void(const Placement&)> placed;    // each attempt, when it has its verdict
  std::function<void(const std::string&)> warned;  // what a person must know
  std::function<bool()> stopping = [] { return false; };
};

struct PlacementPlan {
  ApplicationConfig application;
  std::vector<HotspotPlan> hotspots;
  double min_gain = 0.01;
  std::string backend = "openmp";
  bool profile = true;           // one more run of each, where a profiler can tell the kernel's time
  std::string stream_type;       // of the platform; empty on a CPU
  std::filesystem::path copies;  // an empty folder for the two copies
  int repairs = 2;               // of an adviser's answer
};

struct PlacementOutcome {
  bool all_measured = false;  // every hotspot with a winner has a version that was measured and is believed
  bool untouched = false;     // the original folder is as it was
};

// Ends early, with what it has, once `stopping` says so. Throws UserError where the folder cannot be read or
// copied.
Task<PlacementOutcome> place_winners(PlacementPlan plan, PlacementServices services);

}  // namespace noctune
