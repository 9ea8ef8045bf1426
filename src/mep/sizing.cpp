// All open sizes grow and shrink together by one scale factor on their starting values. The bytes of a scale
// are computed, never probed, so S_max is never exceeded by a run (but for scratch, which shows only then);
// only times are measured. Points below T_min and points that are too large enclose what is looked for, so
// that steps and flat stretches in the time end the search, too.
#include "mep/sizing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.hpp"
#include "mep/sizing_text.hpp"

namespace noctune {
namespace {

constexpr std::size_t most_probes = 10;
constexpr double smallest_working_set = 1 << 20;  // bytes: where sizes that nobody declared start
constexpr double margin = 1.4;                    // aim above T_min, so that noise does not undo it
constexpr double longest_step = 32;               // growth of the predicted time in one step
constexpr double overshoot = 4;                   // x T_min: further than this is worth one step back
constexpr double window = 10;                     // x T_min: sizes that nobody declared stay below
constexpr double near = 1.5;                      // a bound that close by is the one that binds
constexpr double from_above = 7;                  // x T_min: the aim of sizes that shrink

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

Sizing::Sizing(std::vector<SizeSpec> sizes, SizingLimits limits,
               std::function<Result<double>(const Sizes&)> data_bytes)
    : specs_(std::move(sizes)), limits_(limits), data_bytes_(std::move(data_bytes)) {
  for (const SizeSpec& spec : specs_) {
    declared_ = declared_ && spec.value > 0;
    smallest_ = std::min(smallest_, static_cast<double>(spec.min) / base_of(spec));
    largest_ = std::max(largest_, static_cast<double>(spec.max) / base_of(spec));
  }
  start();
}

void Sizing::start() {
  const Result<double> least = data_bytes_(at(smallest_));
  current_ = at(smallest_);
  if (!least) return refuse({smallest_, {}}, SizeBound::impossible, least.error().text());
  if (!(*least <= limits_.s_max_bytes) || *least < 0) {
    const std::string which = specs_.empty() ? "the data needs " : "even the smallest sizes need ";
    return refuse({smallest_, {0, 0, *least, false}}, SizeBound::s_max,
                  which + bytes_text(*least) + ", more than S_max = " + bytes_text(limits_.s_max_bytes));
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

double Sizing::bytes_at(double scale) const {
  const Result<double> bytes = data_bytes_(at(scale));
  return bytes && *bytes >= 0 ? *bytes : std::numeric_limits<double>::infinity();
}

bool Sizing::fits(double scale) const {
  return bytes_at(scale) * overhead_ <= limits_.s_max_bytes;
}

// The largest scale up to `wanted` that S_max allows.
double Sizing::fitting(double wanted) const {
  wanted = std::clamp(wanted, smallest_, largest_);
  if (fits(wanted)) return wanted;
  double low = smallest_, high = wanted;
  for (int step = 0; step < 60 && high / low > 1 + 1e-11; ++step) {
    const double middle = std::sqrt(low * high);
    (fits(middle) ? low : high) = middle;
  }
  return low;
}

void Sizing::go_to(double scale) {
  scale_ = scale;
  current_ = at(scale);
}

double Sizing::bytes_exponent() const {
  const double here = bytes_at(scale_), there = bytes_at(scale_ * 2);
  return here > 0 && there > here && std::isfinite(there) ? std::clamp(std::log2(there / here), 0.5, 6.0)
                                                          : 1.0;
}

// How time grows with the scale: from the last two probes at different sizes, else as the bytes do.
double Sizing::exponent() const {
  for (std::size_t i = points_.size(); i-- > 1;) {
    const Point &a = points_[i - 1], &b = points_[i];
    const bool apart = std::fabs(std::log(b.scale / a.scale)) >= 0.05;
    if (!apart || a.probe.stopped || b.probe.stopped || a.probe.t_ker_s <= 0 || b.probe.t_ker_s <= 0)
      continue;
    return std::clamp(std::log(b.probe.t_ker_s / a.probe.t_ker_s) / std::log(b.scale / a.scale), 0.5, 6.0);
  }
  return bytes_exponent();
}

void Sizing::tell(const SizingProbe& probe) {
  if (done_) return;
  const Point point{scale_, probe};
  points_.push_back(point);
  const double computed = bytes_at(point.scale);
  if (computed > 0) overhead_ = std::max(overhead_, probe.s_data_bytes / computed);
  if (probe.s_data_bytes > limits_.s_max_bytes) return make_room(point);
  if (too_long(point)) return shrink(point);
  if (probe.t_ker_s < limits_.t_min_s) return grow(point);
  if (is_declared(point.scale)) return accept(point, SizeBound::none);
  if (probe.t_ker_s > window * limits_.t_min_s) return tighten(point);
  if (overshot(point)) return step_back(point);
  if (wants_beyond_cache(point)) return go_to(beyond_cache());
  accept(point, SizeBound::none);
}

bool Sizing::too_long(const Point& point) const {
  return point.probe.stopped || point.probe.t_overall_s > limits_.t_max_s;
}

// A point that satisfies everything, the one with the longest calls.
const Sizing::Point* Sizing::in_window() const {
  const Point* best = nullptr;
  for (const Point& point : points_) {
    const double t = point.probe.t_ker_s;
    const bool good = !too_long(point) && point.probe.s_data_bytes <= limits_.s_max_bytes &&
                      t >= limits_.t_min_s && t <= window * limits_.t_min_s;
    if (good && (!best || t > best->probe.t_ker_s)) best = &point;
  }
  return best;
}

// The largest probed scale that kept T_max and S_max.
const Sizing::Point* Sizing::largest_good() const {
  const Point* best = nullptr;
  for (const Point& point : points_)
    if (!too_long(point) && point.probe.s_data_bytes <= limits_.s_max_bytes &&
        (!best || point.scale > best->scale))
      best = &point;
  return best;
}

// The largest one whose calls are below T_min.
const Sizing::Point* Sizing::largest_short() const {
  const Point* best = nullptr;
  for (const Point& point : points_)
    if (!too_long(point) && point.probe.t_ker_s < limits_.t_min_s && (!best || point.scale > best->scale))
      best = &point;
  return best;
}

// The smallest scale known to be more than is wanted.
double Sizing::too_large() const {
  double least = infinite_scale;
  for (const Point& point : points_)
    if (too_long(point) || point.probe.t_ker_s > window * limits_.t_min_s)
      least = std::min(least, point.scale);
  return least;
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
  if (same(next, point.scale) || same(next, floor)) return accept(point, SizeBound::none);
  go_to(next);
}

void Sizing::shrink(const Point& point) {
  if (same(point.scale, smallest_)) {
    const std::string where = specs_.empty() ? "" : "even at the smallest sizes ";
    return refuse(point, SizeBound::t_max,
                  point.probe.stopped
                      ? where + "it was stopped after " + seconds_text(point.probe.t_overall_s) +
                            ", T_max: it loops for ever on the generated data, or does too much; look at the "
                            "inits of what its loops depend on, give smaller sizes, or more time by --set "
                            "mep.t_max_s=..."
                      : where + "a whole run takes " + seconds_text(point.probe.t_overall_s) +
                            ", more than T_max = " + seconds_text(limits_.t_max_s) +
                            "; give smaller sizes, or more time by --set mep.t_max_s=...");
  }
  if (in_window() || points_.size() >= most_probes) return settle();
  const Point* good = largest_good();
  if (point.probe.stopped) return good ? bisect(*good, point) : go_to(smallest_);
  double factor = std::min(0.9, std::pow(0.5 * limits_.t_max_s / point.probe.t_overall_s, 1 / exponent()));
  if (point.probe.t_ker_s > window * limits_.t_min_s)
    factor = std::min(factor, std::pow(from_above * limits_.t_min_s / point.probe.t_ker_s, 1 / exponent()));
  double next = std::max(smallest_, point.scale * factor);
  if (same(next, point.scale)) next = next_smaller(point.scale);
  if (good && (next <= good->scale || same(next, good->scale))) return bisect(*good, point);
  go_to(next);
}

void Sizing::bisect(const Point& good, const Point& large) {
  // A run that is stopped costs T_max: no more of them for a few per cent.
  if (too_long(large) && large.scale < 1.1 * good.scale) return settle();
  const std::optional<double> middle = between(good.scale, large.scale);
  middle ? go_to(*middle) : settle();
}

// Longer than is wanted, although everything else is kept.
void Sizing::tighten(const Point& point) {
  if (same(point.scale, smallest_)) return accept(point, SizeBound::min);
  if (in_window() || points_.size() >= most_probes) return settle();
  const Point* low = largest_short();
  const double aim = (declared_ ? from_above : margin) * limits_.t_min_s;
  double next =
      std::max(smallest_, point.scale * std::min(0.9, std::pow(aim / point.probe.t_ker_s, 1 / exponent())));
  if (same(next, point.scale)) next = next_smaller(point.scale);
  if (low && (next <= low->scale || same(next, low->scale))) return bisect(*low, point);
  go_to(next);
}

// The program needs more than its buffers: scratch that only the entry knows.
void Sizing::make_room(const Point& point) {
  if (same(point.scale, smallest_))
    return refuse(point, SizeBound::s_max,
                  "with its scratch the program needs " + bytes_text(point.probe.s_data_bytes) +
                      (specs_.empty() ? "" : " even at the smallest sizes") +
                      ", more than S_max = " + bytes_text(limits_.s_max_bytes));
  if (points_.size() >= most_probes) return settle();
  const double next = fitting(point.scale);
  go_to(same(next, point.scale) ? next_smaller(point.scale) : next);
}

void Sizing::grow(const Point& point) {
  if (in_window()) return settle();
  const double t_ker = std::max(point.probe.t_ker_s, 1e-9);
  const double wanted_time = std::min(margin * limits_.t_min_s, longest_step * t_ker);
  // What launching costs hides the growth of tiny sizes: never less than the bytes'.
  const double growth = std::max(exponent(), bytes_exponent());
  const double ceiling = too_large();
  double next = fitting(point.scale * std::pow(wanted_time / t_ker, 1 / growth));
  if (reaches(next, ceiling)) next = between(point.scale, ceiling).value_or(ceiling);
  if (same(next, point.scale)) next = next_larger(point.scale);
  if (next > largest_ || reaches(next, ceiling) || !fits(next)) return cannot_grow(point, next);
  if (points_.size() >= most_probes) return settle();
  go_to(next);
}

void Sizing::cannot_grow(const Point& point, double next) {
  if (specs_.empty()) return accept(point, SizeBound::fixed);
  if (next > largest_) return accept(point, SizeBound::max);
  if (!reaches(next, too_large()))
    return accept(point, std::isfinite(bytes_at(next)) ? SizeBound::s_max : SizeBound::impossible);
  // No size lies between this one and one that is known to be larger than wanted.
  for (const Point& other : points_)
    if (other.scale == too_large() && !too_long(other)) return accept(other, SizeBound::steps);
  accept(point, SizeBound::t_max);
}

// A scale between two, with sizes unlike theirs; nothing where there is none.
std::optional<double> Sizing::between(double low, double high) const {
  for (const double middle : {std::sqrt(low * high), next_larger(low), next_smaller(high)})
    if (middle > low && middle < high && !same(middle, low) && !same(middle, high)) return middle;
  return {};
}

bool Sizing::reaches(double scale, double ceiling) const {
  return ceiling < infinite_scale && (scale >= ceiling || same(scale, ceiling));
}

// The next scale whose rounded sizes differ; beyond `largest_` where there is none.
double Sizing::next_larger(double scale) const {
  double next = scale;
  while (next <= largest_ && same(next, scale)) next *= 1.01;
  return next <= largest_ ? next : !same(largest_, scale) ? largest_ : infinite_scale;
}

double Sizing::next_smaller(double scale) const {
  double next = scale;
  while (next > smallest_ && same(next, scale)) next /= 1.01;
  return std::max(next, smallest_);
}

bool Sizing::wants_beyond_cache(const Point& point) const {
  if (declared_ || specs_.empty() || limits_.llc_bytes <= 0 || points_.size() + 1 >= most_probes)
    return false;
  if (point.probe.s_data_bytes >= 2 * limits_.llc_bytes) return false;
  const double scale = beyond_cache();
  if (scale <= point.scale || scale >= too_large() || same(scale, point.scale)) return false;
  const double growth = std::pow(scale / point.scale, exponent());
  return point.probe.t_ker_s * growth <= 0.9 * window * limits_.t_min_s &&
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

// The best of what was probed.
void Sizing::settle() {
  if (const Point* good = in_window()) return accept(*good, SizeBound::none);
  const Point *least = nullptr, *most = nullptr;  // of those at least as long as wanted, and of the others
  for (const Point& point : points_) {
    if (too_long(point) || point.probe.s_data_bytes > limits_.s_max_bytes) continue;
    const double t = point.probe.t_ker_s;
    if (t >= limits_.t_min_s && (!least || t < least->probe.t_ker_s)) least = &point;
    if (t < limits_.t_min_s && (!most || t >= most->probe.t_ker_s)) most = &point;
  }
  const bool exhausted = points_.size() >= most_probes;
  if (least) return accept(*least, exhausted ? SizeBound::probes : SizeBound::steps);
  if (most)
    return accept(*most,
                  exhausted && too_large() > near * most->scale ? SizeBound::probes : SizeBound::t_max);
  refuse(points_.back(), SizeBound::t_max,
         "no size was found within " + std::to_string(points_.size()) +
             " probes whose whole run stays below T_max = " + seconds_text(limits_.t_max_s) +
             "; the last took " + seconds_text(points_.back().probe.t_overall_s));
}

// What stood against the sizes that somebody declared; empty where they are kept, or there are none.
std::string Sizing::why_not_declared(const Point& point) const {
  if (!declared_ || specs_.empty() || is_declared(point.scale)) return {};
  const std::string sizes = "the declared sizes (" + sizes_text(at(1)) + ")";
  if (!fits(1))
    return sizes + " need " + bytes_text(bytes_at(1) * overhead_) +
           ", more than S_max = " + bytes_text(limits_.s_max_bytes);
  for (const Point& tried : points_) {
    if (!is_declared(tried.scale)) continue;
    if (too_long(tried))
      return sizes + (tried.probe.stopped ? " were stopped after " : " take ") +
             seconds_text(tried.probe.t_overall_s) + " in a whole run, more than T_max";
    if (tried.probe.t_ker_s < limits_.t_min_s)
      return sizes + " take " + seconds_text(tried.probe.t_ker_s) + ", less than T_min";
  }
  return sizes + " were given up";
}

std::string Sizing::binding(const Point& point, SizeBound bound) const {
  switch (bound) {
    case SizeBound::none:
      return {};
    case SizeBound::fixed:
      return "the sizes are fixed, which";
    case SizeBound::s_max:
      return "S_max = " + bytes_text(limits_.s_max_bytes);
    case SizeBound::t_max:
      return "T_max = " + seconds_text(limits_.t_max_s) + " (passed at " + sizes_text(at(too_large())) + ")";
    case SizeBound::max:
      return "the sizes' own maximum (" + sizes_text(at(largest_)) + ")";
    case SizeBound::min:
      return "the sizes' own minimum (" + sizes_text(at(smallest_)) + ")";
    case SizeBound::steps: {
      const Point* low = largest_short();
      return "that no size lies between these and " + (low ? sizes_text(at(low->scale)) : "smaller ones");
    }
    case SizeBound::impossible: {
      const Result<double> bytes = data_bytes_(at(next_larger(point.scale)));
      return "that larger sizes cannot be" + (bytes ? "" : " (" + bytes.error().text() + ")");
    }
    case SizeBound::probes:
      return "the number of probes, " + std::to_string(most_probes) + ",";
  }
  return {};
}

void Sizing::accept(const Point& point, SizeBound bound) {
  done_ = true;
  go_to(point.scale);
  const SizingProbe& probe = point.probe;
  const double t_ker = std::max(probe.t_ker_s, 1e-9);
  result_.sizes = current_;
  result_.measured = probe;
  result_.batched = t_ker < limits_.t_min_s;
  result_.batch =
      result_.batched ? static_cast<int>(std::min(1e6, std::ceil(1.1 * limits_.t_min_s / t_ker))) : 1;
  const bool long_calls = !is_declared(point.scale) && t_ker > window * limits_.t_min_s;
  result_.bound = result_.batched || long_calls ? bound : SizeBound::none;
  const double computed = bytes_at(point.scale);
  std::string& text = result_.sentence;
  text = (current_.empty() ? "fixed sizes" : sizes_text(current_)) +
         ": T_ker = " + seconds_text(probe.t_ker_s) + " (T_min = " + seconds_text(limits_.t_min_s) +
         "), T_overall = " + seconds_text(probe.t_overall_s) + " (T_max = " + seconds_text(limits_.t_max_s) +
         "), S_data = " + bytes_text(probe.s_data_bytes) +
         (probe.s_data_bytes > 1.01 * computed ? ", " + bytes_text(computed) + " without scratch" : "") +
         " (S_max = " + bytes_text(limits_.s_max_bytes) + ")";
  if (const std::string why = why_not_declared(point); !why.empty()) text += "; " + why;
  const std::string what = binding(point, result_.bound);
  if (result_.batched)
    text += "; " + what + " keeps T_ker below T_min = " + seconds_text(limits_.t_min_s) + ", so " +
            std::to_string(result_.batch) + " calls make one sample";
  else if (long_calls)
    text += "; " + what + " keeps T_ker above " + seconds_text(window * limits_.t_min_s);
  else
    text +=
        is_declared(point.scale) ? "; the declared sizes satisfy the limits" : "; all limits are satisfied";
}

void Sizing::refuse(const Point& point, SizeBound bound, const std::string& why) {
  done_ = true;
  result_.refused = true;
  result_.bound = bound;
  result_.sizes = at(point.scale);
  result_.measured = point.probe;
  result_.sentence = why;
}

}  // namespace noctune
