// One campaign: a config file resolved into limits, platform, proposers and hotspots.
#pragma once

#include <string>
#include <vector>

#include "model/mep_spec.hpp"

namespace noctune {

struct SearchSettings {
  std::string strategy = "greedy";
  int rounds = 6;      // D
  int candidates = 3;  // N per round
  int repeats = 30;    // R samples a side
  int trim = 3;        // k dropped at each end, R > 2k
  int repairs = 2;
  double min_gain = 0.01;       // smallest promoted gain, as a fraction
  int patience = 2;             // rounds without a real gain before a hotspot stops
  int confirm_top = 3;          // finalists re-measured against K(0)
  int confirm_pairs = 5;        // fresh process pairs per finalist
  unsigned long long seed = 1;  // decides tie-breaks and orders of proposals, never inputs
};

struct MepLimits {
  double t_min_ms = 1;
  double t_max_s = 30;
  double s_max_mb = 512;
};

struct PlatformSettings {
  std::string backend = "openmp";
  std::string compiler = "g++";
  std::vector<std::string> flags = {"-O3", "-march=native", "-fopenmp"};
  int threads = 0;       // of the measured process; 0 = all of its quiet cores
  double flush_mb = -1;  // swept between samples; negative = twice the last-level cache, at most 64
};

struct LimitSettings {
  double build_s = 60;  // floor; grows to build_factor x the original's own build time
  double build_factor = 10;
  double run_s = 60;        // one driver process, floor
  double run_factor = 20;   // x the original's own driver time
  double memory_mb = 4096;  // resident, of a child's whole tree, beyond the MEP's own data
  double output_kb = 1024;  // captured text
};

struct HotspotConfig {
  std::string name;
  std::string source;  // path as found: relative paths are taken from the config's folder
  std::string entry;
  std::string mep_path;
  std::string context_path;        // empty: context.hpp is made from the spec
  std::vector<std::string> flags;  // replaces the platform's when not empty
  double share = 1;                // of the application's run time, for the report's weights
};

struct Campaign {
  std::string name;
  std::string config_path;
  std::string resolved_json;  // the whole configuration after defaults and --set, stored with the results
  SearchSettings search;
  MepLimits mep;
  PlatformSettings platform;
  LimitSettings limits;
  std::vector<std::string> proposers = {"rules"};
  std::vector<HotspotConfig> hotspots;
};

}  // namespace noctune
