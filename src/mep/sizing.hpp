// Chooses the scaling sizes: T_ker >= T_min, T_overall <= T_max, S_data <= S_max (docs/mep.md gives the
// rules). Decides only; the caller runs a probe for sizes() and tells what it measured, until done().
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "model/mep_spec.hpp"

namespace noctune {

struct SizingLimits {
  double t_min_s = 1e-3;
  double t_max_s = 30;
  double s_max_bytes = 512e6;
  double llc_bytes = 0;  // last-level cache; 0 = no wish to exceed it
};

struct SizingProbe {
  double t_ker_s = 0;      // one call of the entry
  double t_overall_s = 0;  // whole run of the program; also what a stopped probe has used so far
  double s_data_bytes = 0;
};

enum class SizeBound { none, s_max, t_max, max, probes };  // what kept T_ker below T_min

struct SizingResult {
  bool refused = false;
  std::map<std::string, long long> sizes;
  int batch = 1;  // calls per sample so that batch x T_ker >= T_min
  bool batched = false;
  SizeBound bound = SizeBound::none;
  SizingProbe measured;  // at the chosen sizes
  std::string sentence;  // for people, with numbers
};

class Sizing {
 public:
  using Sizes = std::map<std::string, long long>;
  // `sizes`: the spec's open sizes (auto_sizes). `data_bytes`: bytes of one argument set at given sizes,
  // infinite or negative where they cannot be resolved.
  Sizing(std::vector<SizeSpec> sizes, SizingLimits limits, std::function<double(const Sizes&)> data_bytes);

  bool done() const { return done_; }
  const Sizes& sizes() const { return current_; }  // to probe next
  void tell(const SizingProbe& probe);
  const SizingResult& result() const { return result_; }

 private:
  struct Point {
    double scale;
    SizingProbe probe;
  };
  static constexpr double infinite_scale = 1e300;

  Sizes at(double scale) const;
  double bytes_at(double scale) const { return data_bytes_(at(scale)); }
  bool fits(double scale) const;
  double fitting(double wanted) const;
  double exponent() const;
  double beyond_cache() const;
  bool wants_beyond_cache(const Point& point) const;
  const Point* largest_good() const;
  double next_larger(double scale) const;
  bool overshot(const Point& point) const;
  void step_back(const Point& point);
  void go_to(double scale);
  void grow(const Point& point);
  void shrink(const Point& point);
  void accept(const Point& point, SizeBound bound);
  void refuse(const Point& point, const std::string& why);

  std::vector<SizeSpec> specs_;
  SizingLimits limits_;
  std::function<double(const Sizes&)> data_bytes_;
  double scale_ = 1, smallest_ = 1, largest_ = 1;
  double too_large_ = infinite_scale;  // smallest scale known to break T_max
  bool declared_ = true;
  Sizes current_;
  std::vector<Point> points_;
  bool stepped_back_ = false;
  bool done_ = false;
  SizingResult result_;
};

const char* to_text(SizeBound bound);

}  // namespace noctune
