// The application that hotspots come from, and where in it each belongs: what `noctune integrate` needs.
#pragma once

#include <string>
#include <vector>

namespace noctune {

// The figure of merit of one run of the application.
struct MetricConfig {
  std::string from = "wall";      // wall, output, csv, hdf5
  std::string pattern;            // output: its first group is the number, of the last match
  std::string file;               // csv, hdf5: in the application's folder
  std::string column;             // csv: by its heading; the last row counts
  std::string dataset;            // hdf5: its last element counts
  bool higher_is_better = false;  // wall time: lower
  std::string unit = "s";
};

struct ApplicationConfig {
  std::string name;
  std::string directory;  // absolute; copied as a whole, never written to
  // Shell commands in the copy.
  std::string build;
  std::string run;
  std::string verify;  // after each run; empty: the run's exit code says it
  std::string launch;  // in front of `run`: "srun -n 4"
  MetricConfig metric;
  int runs = 5;           // pairs of original and patched
  double build_s = 1800;  // deadlines
  double run_s = 3600;    // of `run`, and of `verify`
};

// Where a hotspot came from.
struct IntegrateConfig {
  std::string application;
  std::string file;                  // in the application's folder
  std::string call_site;             // what is to be replaced where the launch stands inline; empty = found
  std::vector<std::string> symbols;  // names in the file that the hotspot has there; empty = its own
  double share = 0;                  // of the application's run time, in this run; 0 = not known
};

}  // namespace noctune
