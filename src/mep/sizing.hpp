// Chooses the scaling sizes: T_ker >= T_min, T_overall <= T_max, S_data <= S_max (docs/mep.md gives the
// rules). Decides only; the caller runs a probe for sizes() and tells what it measured, until done().
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "model/mep_spec.hpp"

namespace noctune {

struct SizingLimits {
  double t_min_s = 1e-3;
  double t_max_s = 30;
  double s_max_bytes = 512e6;
  double llc_bytes = 0;  // last-level cache; 0 = no wish to exceed it
};

struct SizingProbe {
  double t_ker_s = 0;       // one call of the entry, on the slowest inputs tried
  double t_overall_s = 0;   // whole run of the program; also what a stopped probe has used so far
  double s_data_bytes = 0;  // as measured: buffers and scratch
  bool stopped = false;     // ended at T_max: its times are lower bounds
};

// What keeps T_ker below T_min, or above the aim.
enum class SizeBound {
  none,
  fixed,       // no size may be changed
  s_max,       //
  t_max,       //
  max,         // the sizes' own limits
  min,         //
  steps,       // multiples and powers of two: no size lies between
  impossible,  // larger sizes cannot be: a count overflows, a value does not fit its type
  probes       // it was not found in time
};

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
  // `sizes`: the spec's open sizes (auto_sizes). `data_bytes`: bytes of one argument set at given sizes, or
  // why these cannot be.
  Sizing(std::vector<SizeSpec> sizes, SizingLimits limits,
         std::function<Result<double>(const Sizes&)> data_bytes);

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
  bool same(double a, double b) const { return at(a) == at(b); }
  bool is_declared(double scale) const { return declared_ && same(scale, 1); }
  double bytes_at(double scale) const;  // infinite where the sizes cannot be
  bool fits(double scale) const;
  double fitting(double wanted) const;
  double bytes_exponent() const;
  double exponent() const;
  double beyond_cache() const;
  bool wants_beyond_cache(const Point& point) const;
  bool too_long(const Point& point) const;
  bool overshot(const Point& point) const;
  const Point* in_window() const;
  const Point* largest_good() const;
  const Point* largest_short() const;
  double too_large() const;
  std::optional<double> between(double low, double high) const;
  bool reaches(double scale, double ceiling) const;
  double next_larger(double scale) const;
  double next_smaller(double scale) const;

  void start();
  void go_to(double scale);
  void grow(const Point& point);
  void cannot_grow(const Point& point, double next);
  void shrink(const Point& point);
  void bisect(const Point& good, const Point& large);
  void tighten(const Point& point);
  void make_room(const Point& point);
  void step_back(const Point& point);
  void settle();
  void accept(const Point& point, SizeBound bound);
  void refuse(const Point& point, SizeBound bound, const std::string& why);
  std::string why_not_declared(const Point& point) const;
  std::string binding(const Point& point, SizeBound bound) const;

  std::vector<SizeSpec> specs_;
  SizingLimits limits_;
  std::function<Result<double>(const Sizes&)> data_bytes_;
  double scale_ = 1, smallest_ = 1, largest_ = 1;
  double overhead_ = 1;  // measured bytes over computed ones: scratch
  bool declared_ = true;
  Sizes current_;
  std::vector<Point> points_;
  bool stepped_back_ = false;
  bool done_ = false;
  SizingResult result_;
};

}  // namespace noctune
