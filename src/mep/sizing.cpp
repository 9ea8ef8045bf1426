// All open sizes grow and shrink together by one scale factor on their starting values. The bytes of a scale
// are computed, never probed, so S_max is never exceeded by a run; only times are measured.
#include "mep/sizing.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace noctune {
namespace {

constexpr std::size_t most_probes = 8;
constexpr double smallest_working_set = 1 << 20;  // bytes: where sizes that nobody declared start
constexpr double margin = 1.4;                    // aim above T_min, so that noise does not undo it
constexpr double longest_step = 32;               // growth of the predicted time in one step
constexpr double overshoot = 4;                   // x T_min: further than this is worth one step back

std::string formatted(const char* format, double value) {
  char text[48];
  std::snprintf(text, sizeof text, format, value);
  return text;
}
std::string seconds(double s) {
  return s < 1e-3 ? formatted("%.3g us", s * 1e6)
         : s < 1  ? formatted("%.3g ms", s * 1e3)
                  : formatted("%.3g s", s);
}
std::string megabytes(double bytes) {
  return bytes < 1e6 ? formatted("%.3g kB", bytes / 1e3) : formatted("%.4g MB", bytes / 1e6);
}

long long rounded(const SizeSpec& spec, double wanted) {
  const double capped = std::clamp(wanted, static_cast<double>(spec.min), static_cast<double>(spec.max));
  if (spec.power_of_two) {
    long long value = 1;
    while (static_cast<double>(value) * 1.5 <= capped) value *= 2;
    while (value < spec.min || value % spec.multiple_of != 0) value *= 2;
    while (value > spec.max) value /= 2;
    return value;
  }
  const double steps = std::round(capped / static_cast<double>(spec.multiple_of));
  long long value = static_cast<long long>(steps) * spec.multiple_of;
  if (value < spec.min) value = (spec.min + spec.multiple_of - 1) / spec.multiple_of * spec.multiple_of;
  if (value > spec.max) value = spec.max / spec.multiple_of * spec.multiple_of;
  return value;
}

double base_of(const SizeSpec& spec) {
  return static_cast<double>(spec.value > 0 ? spec.value : spec.min);
}

}  // namespace

const char* to_text(SizeBound bound) {
  switch (bound) {
    case SizeBound::none:
      return "none";
    case SizeBound::s_max:
      return "S_max";
    case SizeBound::t_max:
      return "T_max";
    case SizeBound::max:
      return "the sizes' own maximum";
    case SizeBound::probes:
      return "the number of probes";
  }
  return "?";
}

Sizing::Sizing(std::vector<SizeSpec> sizes, SizingLimits limits,
               std::function<double(const Sizes&)> data_bytes)
    : specs_(std::move(sizes)), limits_(limits), data_bytes_(std::move(data_bytes)) {
  for (const SizeSpec& spec : specs_) {
    declared_ = declared_ && spec.value > 0;
    smallest_ = std::min(smallest_, static_cast<double>(spec.min) / base_of(spec));
    largest_ = std::max(largest_, static_cast<double>(spec.max) / base_of(spec));
  }
  const double smallest_bytes = bytes_at(smallest_);
  if (!(smallest_bytes <= limits_.s_max_bytes) || smallest_bytes < 0) {
    current_ = at(smallest_);
    refuse({smallest_, {0, 0, smallest_bytes}}, "even the smallest sizes need " + megabytes(smallest_bytes) +
                                                    ", more than S_max = " + megabytes(limits_.s_max_bytes));
    return;
  }
  while (!specs_.empty() && !declared_ && scale_ < largest_ && bytes_at(scale_) < smallest_working_set &&
         bytes_at(2 * scale_) <= limits_.s_max_bytes)
    scale_ *= 2;
  go_to(fitting(scale_));
}

Sizing::Sizes Sizing::at(double scale) const {
  Sizes sizes;
  for (const SizeSpec& spec : specs_) sizes[spec.name] = rounded(spec, base_of(spec) * scale);
  return sizes;
}

bool Sizing::fits(double scale) const {
  const double bytes = bytes_at(scale);
  return bytes >= 0 && bytes <= limits_.s_max_bytes;
}

// The largest scale up to `wanted` that S_max allows.
double Sizing::fitting(double wanted) const {
  wanted = std::clamp(wanted, smallest_, largest_);
  if (fits(wanted)) return wanted;
  double low = smallest_, high = wanted;
  for (int step = 0; step < 60 && high / low > 1.0001; ++step) {
    const double middle = std::sqrt(low * high);
    (fits(middle) ? low : high) = middle;
  }
  return low;
}

void Sizing::go_to(double scale) {
  scale_ = scale;
  current_ = at(scale);
}

// How time grows with the scale: from the last two probes at different sizes, else as the bytes do.
double Sizing::exponent() const {
  for (std::size_t i = points_.size(); i-- > 1;) {
    const Point &a = points_[i - 1], &b = points_[i];
    if (std::fabs(std::log(b.scale / a.scale)) < 0.05 || a.probe.t_ker_s <= 0 || b.probe.t_ker_s <= 0)
      continue;
    return std::clamp(std::log(b.probe.t_ker_s / a.probe.t_ker_s) / std::log(b.scale / a.scale), 0.5, 6.0);
  }
  const double here = bytes_at(scale_), there = bytes_at(scale_ * 2);
  return here > 0 && there > here ? std::clamp(std::log2(there / here), 0.5, 6.0) : 1.0;
}

void Sizing::tell(const SizingProbe& probe) {
  if (done_) return;
  const Point point{scale_, probe};
  points_.push_back(point);
  if (probe.t_overall_s > limits_.t_max_s) return shrink(point);
  if (probe.t_ker_s < limits_.t_min_s) return grow(point);
  if (overshot(point)) return step_back(point);
  if (wants_beyond_cache(point)) return go_to(beyond_cache());
  accept(point, SizeBound::none);
}

// Growth went well past T_min, as it does while little is known about the exponent.
bool Sizing::overshot(const Point& point) const {
  if (stepped_back_ || points_.size() < 2 || points_.size() >= most_probes) return false;
  return points_[points_.size() - 2].probe.t_ker_s < limits_.t_min_s &&
         point.probe.t_ker_s > overshoot * limits_.t_min_s;
}

void Sizing::step_back(const Point& point) {
  stepped_back_ = true;
  const double floor = points_[points_.size() - 2].scale;
  const double wanted =
      point.scale * std::pow(margin * limits_.t_min_s / point.probe.t_ker_s, 1 / exponent());
  const double next = std::max(wanted, std::sqrt(floor * wanted));
  if (at(next) == at(point.scale) || at(next) == at(floor)) return accept(point, SizeBound::none);
  go_to(next);
}

void Sizing::shrink(const Point& point) {
  too_large_ = std::min(too_large_, point.scale);
  if (at(point.scale) == at(smallest_))
    return refuse(point, "even at the smallest sizes a whole run takes " + seconds(point.probe.t_overall_s) +
                             ", more than T_max = " + seconds(limits_.t_max_s));
  const Point* good = largest_good();
  if (good && points_.size() + 1 >= most_probes) return accept(*good, SizeBound::t_max);
  if (points_.size() >= most_probes)
    return refuse(point, "no size was found within " + std::to_string(most_probes) +
                             " probes whose whole run stays below T_max = " + seconds(limits_.t_max_s) +
                             "; the last took " + seconds(point.probe.t_overall_s));
  const double factor = std::pow(0.5 * limits_.t_max_s / point.probe.t_overall_s, 1 / exponent());
  double next = std::max(smallest_, point.scale * std::min(factor, 0.9));
  if (good && next <= good->scale) next = std::sqrt(good->scale * point.scale);
  if (good && at(next) == at(good->scale)) return accept(*good, SizeBound::t_max);
  go_to(at(next) == at(point.scale) ? smallest_ : next);
}

// The largest probed scale that kept T_max.
const Sizing::Point* Sizing::largest_good() const {
  const Point* best = nullptr;
  for (const Point& point : points_)
    if (point.probe.t_overall_s <= limits_.t_max_s && (!best || point.scale > best->scale)) best = &point;
  return best;
}

void Sizing::grow(const Point& point) {
  const double wanted_time =
      std::min(margin * limits_.t_min_s, longest_step * std::max(point.probe.t_ker_s, 1e-9));
  const double factor = std::pow(wanted_time / std::max(point.probe.t_ker_s, 1e-9), 1 / exponent());
  double next = fitting(point.scale * factor);
  if (next >= too_large_) next = std::sqrt(point.scale * too_large_);
  if (at(next) == at(point.scale)) next = next_larger(point.scale);
  const SizeBound bound = next > largest_      ? SizeBound::max
                          : next >= too_large_ ? SizeBound::t_max
                                               : SizeBound::s_max;
  if (next > largest_ || next >= too_large_ || !fits(next)) return accept(point, bound);
  if (points_.size() >= most_probes) return accept(point, SizeBound::probes);
  go_to(next);
}

// The next scale whose rounded sizes differ; beyond `largest_` where there is none.
double Sizing::next_larger(double scale) const {
  double next = scale;
  while (next <= largest_ && at(next) == at(scale)) next *= 1.01;
  return next <= largest_ ? next : at(largest_) != at(scale) ? largest_ : infinite_scale;
}

bool Sizing::wants_beyond_cache(const Point& point) const {
  if (declared_ || specs_.empty() || limits_.llc_bytes <= 0 || points_.size() + 1 >= most_probes)
    return false;
  if (point.probe.s_data_bytes >= 2 * limits_.llc_bytes) return false;
  const double scale = beyond_cache();
  if (scale <= point.scale || scale >= too_large_ || at(scale) == at(point.scale)) return false;
  const double growth = std::pow(scale / point.scale, exponent());
  return point.probe.t_ker_s * growth <= 20 * limits_.t_min_s &&
         point.probe.t_overall_s * growth <= 0.5 * limits_.t_max_s;
}

// The smallest scale with twice the last-level cache; 0 where S_max or the sizes do not allow it.
double Sizing::beyond_cache() const {
  double low = scale_, high = fitting(largest_);
  if (bytes_at(high) < 2 * limits_.llc_bytes) return 0;
  for (int step = 0; step < 60 && high / low > 1.001; ++step) {
    const double middle = std::sqrt(low * high);
    (bytes_at(middle) < 2 * limits_.llc_bytes ? low : high) = middle;
  }
  return high;
}

void Sizing::accept(const Point& point, SizeBound bound) {
  done_ = true;
  go_to(point.scale);
  const double t_ker = std::max(point.probe.t_ker_s, 1e-9);
  result_.sizes = current_;
  result_.measured = point.probe;
  result_.bound = bound;
  result_.batched = t_ker < limits_.t_min_s;
  result_.batch =
      result_.batched ? static_cast<int>(std::min(1e6, std::ceil(1.1 * limits_.t_min_s / t_ker))) : 1;
  std::string chosen;
  for (const auto& [name, value] : current_)
    chosen += (chosen.empty() ? "" : " ") + name + "=" + std::to_string(value);
  result_.sentence = (chosen.empty() ? "fixed sizes" : chosen) + ": T_ker = " + seconds(point.probe.t_ker_s) +
                     ", T_overall = " + seconds(point.probe.t_overall_s) +
                     ", S_data = " + megabytes(point.probe.s_data_bytes);
  if (!result_.batched) {
    result_.sentence += declared_ && point.scale == 1 ? "; the declared sizes satisfy the limits"
                                                      : "; all limits are satisfied";
    return;
  }
  result_.sentence += "; " + std::string(to_text(bound)) +
                      " keeps T_ker below T_min = " + seconds(limits_.t_min_s) + ", so " +
                      std::to_string(result_.batch) + " calls make one sample";
}

void Sizing::refuse(const Point& point, const std::string& why) {
  done_ = true;
  result_.refused = true;
  result_.sizes = at(point.scale);
  result_.measured = point.probe;
  result_.sentence = why;
}

}  // namespace noctune
