// Timed samples of one side. A sample: fresh values in the argument sets that its calls use (untimed), a
// sweep of the flush buffer, a wake-up of the threads, then `batch` calls between two readings of the clock.
#include <sys/resource.h>

#include <algorithm>
#include <deque>

#include "call_clock.hpp"
#include "generate.hpp"
#include "loops.hpp"
#include "modes.hpp"
#include "random.hpp"
#include "turns.hpp"

namespace noctune {
namespace {

#if NOCTUNE_GPU
constexpr std::size_t swept_step = 32;  // a sector of the cache
#else
constexpr std::size_t swept_step = 64;  // a line
#endif

struct Sweeping {
  const char* data;
  NOCTUNE_BOTH void operator()(long long i, BitSum& sum) const {
    sum.bits += static_cast<unsigned char>(data[swept_step * static_cast<std::size_t>(i)]);
  }
};

// Swept by reading: that evicts what the caches hold and leaves no dirty lines behind for the sample to write
// back.
class Flush {
 public:
  Flush(std::size_t bytes, const Team& team, Report& report) : team_(team) {
    if (!memory_.allocate(bytes)) report.refuse(Fault::driver, "no memory for the flush buffer");
    fill_pattern(memory_.data(), bytes, 1, team.size());
  }
  void sweep() {
    const long long steps = static_cast<long long>(memory_.size() / swept_step);
    kept_ = sum_over<BitSum>(steps, team_.size(), Sweeping{memory_.data()}).bits;
  }

 private:
  const Team& team_;
  DeviceMemory memory_;
  volatile std::uint64_t kept_ = 0;
};

struct Measured {
  double seconds = 0;
  std::size_t order = 0, first_set = 0;
  long long switches = 0;
  double started = 0;
};

long long involuntary_switches() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_nivcsw;
}

class Side {
 public:
  Side(Driver& driver, const Timing& timing, Turns& turns)
      : driver_(driver),
        timing_(timing),
        turns_(turns),
        flush_(timing.flush_bytes, driver.team, driver.report),
        clock_(driver.device) {}

  void run() {
    // One side at a time: 'b' loads its plugin and warms up once 'a' is done with that, then hands back.
    driver_.team.wake();
    allocate();
    warm_up();
    if (timing_.side == 'a') solo();
    turns_.give();
    if (timing_.side == 'a') turns_.take();
    turns_.watch();
    for (std::size_t order = 0; order < timing_.schedule.size(); ++order) {
      if (timing_.schedule[order] != timing_.side) {
        turns_.give();
        continue;
      }
      turns_.take();
      sample(order);
    }
    finish();
  }

 private:
  // Argument sets: one with a setup, whose tables may belong to one set; else as many as the batch needs, if
  // they fit.
  void allocate() {
    const std::size_t cases = driver_.command.cases.size();
    std::size_t wanted = entry_has_setup ? 1 : std::max(timing_.batch, cases);
    double bytes = 0;
    while (sets_.size() < wanted) {
      const CaseData& data = driver_.command.cases[sets_.size() % cases];
      double next = 0;
      for (const Argument& argument : data.args) next += static_cast<double>(argument.bytes());
      if (!sets_.empty() && bytes + next + sets_.front().scratch_bytes() > timing_.memory_bytes) break;
      sets_.emplace_back(data, 0, driver_.plugin, driver_.team, driver_.report);
      bytes += next + sets_.front().scratch_bytes();
    }
  }

  std::size_t set_of(std::size_t call) const { return (next_set_ + call) % sets_.size(); }
  std::size_t sets_in_use() const { return std::min(timing_.batch, sets_.size()); }
  // Values nobody has seen: a function of the sample and the set, the same on both sides.
  std::uint64_t fresh_seed(std::uint64_t sample, std::size_t call) const {
    return draw(stream_key(timing_.seed, sample), call);
  }

  void prepare(std::uint64_t sample) {
    driver_.team.offer(0);  // as at the start, whatever the last call left behind
    driver_.team.wake();
    for (std::size_t call = 0; call < sets_in_use(); ++call) {
      ArgumentSet& set = sets_[set_of(call)];
      set.fill(fresh_seed(sample, call), Variant::normal, -1);
      set.poison(poison_);
      setups_.push_back(set.setup(driver_.device));
    }
  }

  Measured timed_calls() {
    flush_.sweep();
    driver_.team.wake();
    const long long switches = involuntary_switches();
    const double started = in_seconds(now());
    const Span span = clock_.time([&] {
      for (std::size_t call = 0; call < timing_.batch; ++call) sets_[set_of(call)].call();
    });
    wall_seconds_ += span.wall;
    return {span.seconds, 0, next_set_, involuntary_switches() - switches, started};
  }

  void warm_up() {
    const timespec start = now();
    do {
      prepare(warmup_stream + warmup_calls_);
      timed_calls();
      next_set_ = set_of(timing_.batch);
      ++warmup_calls_;
      warmup_seconds_ = seconds_since(start);
    } while (warmup_calls_ < 3 || warmup_seconds_ < timing_.warmup_seconds);
    next_set_ = 0;
    wall_seconds_ = 0;
  }

  // The reference alone on the device, while the peer has not even loaded its plugin.
  void solo() {
    for (long long i = 0; i < timing_.solo_samples; ++i) {
      prepare(solo_stream + static_cast<std::uint64_t>(i));
      solo_.push_back(timed_calls().seconds);
      next_set_ = set_of(timing_.batch);
    }
    next_set_ = 0;  // from here on both sides meet the same sets at the same count
    wall_seconds_ = 0;
  }

  void sample(std::size_t order) {
    const std::size_t index = samples_.size();
    prepare(index);
    const bool verified = static_cast<long long>(index) == timing_.verify_sample;
    if (verified || last_sample(order)) remember();
    Measured measured = timed_calls();
    measured.order = order;
    samples_.push_back(measured);
    watch_fences(driver_.report);
    take_sketches(index);
    if (verified || last_sample(order)) inspect();
    if (verified) write_verified(index);
    next_set_ = set_of(timing_.batch);
  }

  // What the calls of this sample left, one sketch per compared output over all sets; signs follow from the
  // sample, so that both sides use the same.
  void take_sketches(std::size_t index) {
    std::vector<Sketch> sketches;
    for (std::size_t call = 0; call < sets_in_use(); ++call)
      sets_[set_of(call)].sketch(stream_key(fresh_seed(index, call), sketch_stream), sketches);
    sketches_.insert(sketches_.end(), sketches.begin(), sketches.end());
  }

  bool last_sample(std::size_t order) const {
    return timing_.schedule.find(timing_.side, order + 1) == std::string::npos;
  }
  void remember() {
    for (std::size_t call = 0; call < sets_in_use(); ++call) sets_[set_of(call)].remember_inputs();
  }
  void inspect() {
    driver_.team.wake();
    for (std::size_t call = 0; call < sets_in_use() && changed_.empty(); ++call)
      changed_ = sets_[set_of(call)].changed_input();
  }

  // The outputs of a call of this sample that the plugin cannot foresee.
  void write_verified(std::size_t index) {
    const std::size_t call =
        static_cast<std::size_t>(scaled(draw(driver_.report.nonce(), index), sets_in_use()));
    const std::size_t calls = timing_.batch / sets_.size() + (call < timing_.batch % sets_.size() ? 1 : 0);
    const std::size_t set = set_of(call);
    Payload head;
    head.count(index)
        .count(set % driver_.command.cases.size())
        .count(fresh_seed(index, call))
        .count(poison_)
        .count(calls);
    driver_.report.frame(FrameType::verified, head);
    sets_[set].write_outputs(driver_.report, no_run);
  }

  bool restored() const {
    if (timing_.batch <= sets_.size()) return true;
    for (const Argument& argument : driver_.command.cases.front().args)
      if (argument.pointer && argument.use == Use::inout) return false;
    return true;
  }

  void finish() {
    std::string damage;
    for (const ArgumentSet& set : sets_)
      if (damage.empty()) damage = set.damage();
    std::sort(setups_.begin(), setups_.end());
    Payload payload;
    payload.count(timing_.batch)
        .count(sets_.size())
        .flag(restored())
        .number(warmup_seconds_)
        .count(warmup_calls_);
    payload.number(setups_.empty() ? 0 : setups_[setups_.size() / 2]).number(wall_seconds_);
    payload.number(sets_.front().scratch_bytes()).text(damage).text(changed_).count(samples_.size());
    for (const Measured& one : samples_)
      payload.number(one.seconds)
          .count(one.order)
          .count(one.first_set)
          .count(static_cast<std::uint64_t>(one.switches))
          .number(one.started);
    payload.count(sketches_.size());
    for (const Sketch& one : sketches_) payload.number(one.sum).number(one.squares).count(one.bits);
    for (const std::vector<double>& list : {solo_, turns_.own_seconds(), turns_.peer_seconds()}) {
      payload.count(list.size());
      for (const double seconds : list) payload.number(seconds);
    }
    driver_.team.wake();  // notes what the last call left of the arithmetic
    driver_.report.frame(FrameType::time, payload);
  }

  static constexpr std::uint64_t warmup_stream = std::uint64_t{1} << 40;
  static constexpr std::uint64_t solo_stream = std::uint64_t{1} << 41;
  static constexpr std::uint64_t sketch_stream = std::uint64_t{1} << 42;
  static constexpr std::uint64_t poison_ = 0x7ffda5c37ffda5c3ULL;  // NaN in every width

  Driver& driver_;
  const Timing& timing_;
  Turns& turns_;
  Flush flush_;
  CallClock clock_;
  std::deque<ArgumentSet> sets_;
  std::size_t next_set_ = 0;
  std::vector<Measured> samples_;
  std::vector<Sketch> sketches_;  // by sample, then output
  std::vector<double> solo_;
  std::vector<double> setups_;
  double wall_seconds_ = 0, warmup_seconds_ = 0;
  std::uint64_t warmup_calls_ = 0;
  std::string changed_;
};

}  // namespace

void run_timing(Driver& driver, const Timing& timing, Turns& turns) {
  Side(driver, timing, turns).run();
}

}  // namespace noctune
