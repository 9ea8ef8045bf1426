// One campaign: a config file resolved into limits, platform, proposers and hotspots.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/application.hpp"
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
  bool energy = false;          // of finalists and K(0), where the device counts it
  bool profile = true;          // the version that a model is to improve, before each round
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
  // Of the vendor, that versions may use: "cublas", "cub". Of GPUs alone.
  std::vector<std::string> allow_libraries;
  std::string architecture;  // "sm_90", "gfx906"; empty = that of the device. Of GPUs alone
  int threads = 0;           // of the measured process; 0 = all of its quiet cores
  double flush_mb = -1;      // swept between samples; negative = twice the last-level cache, at most 64
};

struct LimitSettings {
  double build_s = 60;  // floor; grows to build_factor x the original's own build time
  double build_factor = 10;
  double run_s = 60;        // one driver process, floor
  double run_factor = 20;   // x the original's own driver time
  double memory_mb = 4096;  // resident, of a child's whole tree, beyond the MEP's own data
  double output_kb = 1024;  // captured text
};

// Compiler and flags of a backend for whoever names none.
PlatformSettings default_platform(const std::string& backend);

// Price of a model in the table's currency for a million tokens.
struct ModelPrice {
  double in = 0, cached = 0, out = 0;
};

struct PriceTable {
  std::string date;  // when the prices were looked up
  std::string currency = "USD";
  std::map<std::string, ModelPrice> models;
};

// Caps of one campaign; 0 = none.
struct BudgetSettings {
  double money = 0;  // in the price table's currency
  long long tokens = 0;
  long long requests = 0;
  double wall_s = 0;         // asking ends so long after the start of a run of the program
  double hotspot_share = 0;  // of each cap, the most that one hotspot may use
};

// The language model and the way to it. Never holds a key: only where to find one.
struct ModelSettings {
  std::string provider;  // openai, openai-responses, anthropic, spool, replay; empty = no model
  std::string base_url;  // up to the version, "https://api.openai.com/v1"; empty = the provider's own
  std::vector<std::string> models;  // the first is asked, the others take over in order
  std::string flavour;  // azure, gemini, vllm, sglang, llamacpp, ollama, deepseek, qwen; empty = plain
  std::string key_env, key_file;  // empty: the provider's usual variable
  bool local = false;             // an endpoint without proxy and, where no key is named, without key
  std::string ca_file;            // empty: searched
  std::string http = "1.1";       // or "2"
  int concurrency = 8;            // requests in flight, at most
  int max_output_tokens = 32000;  // reasoning included
  std::optional<double> temperature;
  std::string effort;  // reasoning effort, in the provider's words
  double connect_s = 15, first_token_s = 900, gap_s = 180, total_s = 3600;
  double retry_s = 1200;         // how long one request may go on being retried
  std::string spool;             // provider spool: the directory
  std::string replay;            // provider replay: a results file or a folder of answers
  std::string on_wait = "wait";  // spool: or "exit", with code 76, once only answers are missing
  PriceTable prices;
  BudgetSettings budget;
};

struct PatternSettings {
  std::string library;  // directory shared by campaigns; empty: within this campaign only
  bool frozen = false;  // offers what the library held at the start, nothing learnt since
};

struct HotspotConfig {
  std::string name;
  std::string source;  // path as found: relative paths are taken from the config's folder
  std::string entry;
  std::string mep_path;            // empty: the MEP is completed
  std::string context_path;        // empty: context.hpp is made from the spec
  std::vector<std::string> flags;  // replaces the platform's when not empty
  double share = 1;                // of the application's run time, for the report's weights
  // Beside the platform's.
  std::vector<std::string> allow_libraries;
  // For a hotspot without a spec.
  std::vector<std::string> kernels;  // the functions meant, in order; empty = those that the source suggests
  std::string call_site_path;        // a snippet of the host code that launches them; empty = none
  std::map<std::string, std::string> defines;  // values of macros that the build supplies
  std::vector<std::string> complete;           // who completes it, in order: "rules", "model"
  std::optional<IntegrateConfig> integrate;    // where in an application it belongs
};

struct Campaign {
  std::string name;
  std::string config_path;
  std::string resolved_json;  // the whole configuration after defaults and --set, stored with the results
  SearchSettings search;
  MepLimits mep;
  PlatformSettings platform;
  LimitSettings limits;
  ModelSettings model;
  std::vector<std::string> proposers = {"rules"};  // "model", "rules"
  // Independent ways of spending the budget, each with searches of its own; the first is the campaign's
  // result and the others are compared with it: loop, direct, sampling, rules.
  std::vector<std::string> arms;
  int replicates = 1;  // of each arm
  PatternSettings patterns;
  std::vector<ApplicationConfig> applications;  // that winners are put back into
  std::vector<HotspotConfig> hotspots;
};

}  // namespace noctune
