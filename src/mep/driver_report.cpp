// Two layers: FrameReader proves that the stream is whole and ours, Assembler makes sense of the frames in
// order.
#include "mep/driver_report.hpp"

#include <cstring>

#include "mep/runtime/wire.hpp"

namespace noctune {
namespace {

constexpr const char* broken = "the driver's report cannot be trusted";

struct Frame {
  FrameType type;
  std::string_view payload;
};

class FrameReader {
 public:
  FrameReader(std::string_view bytes, std::uint64_t nonce) : bytes_(bytes), nonce_(nonce) {}
  bool at_end() const { return at_ == bytes_.size(); }
  std::uint64_t frames() const { return sequence_; }

  Result<Frame> next() {
    FrameHeader header;
    if (bytes_.size() - at_ < sizeof header) return cut_off();
    std::memcpy(&header, bytes_.data() + at_, sizeof header);
    if (header.magic != frame_magic || header.sequence != sequence_)
      return fail(broken, "foreign bytes at offset " + std::to_string(at_),
                  "something else wrote to its descriptor");
    const std::size_t room = bytes_.size() - at_ - sizeof header;
    if (header.length > room || padded(header.length) > room) return cut_off();
    const std::string_view payload = bytes_.substr(at_ + sizeof header, header.length);
    if (frame_tag(header, nonce_, payload.data(), payload.size()) != header.tag)
      return fail(broken, "the checksum of frame " + std::to_string(sequence_) + " is wrong",
                  "it was altered, or answers another command");
    at_ += sizeof header + padded(header.length);
    ++sequence_;
    return Frame{static_cast<FrameType>(header.type), payload};
  }

 private:
  Failure cut_off() const {
    return fail("the driver's report is cut off",
                "it ends after " + std::to_string(sequence_) + " whole frames",
                "the process died or left early");
  }

  std::string_view bytes_;
  std::uint64_t nonce_;
  std::size_t at_ = 0;
  std::uint64_t sequence_ = 0;
};

// The fields of a payload, left to right. Reading past the end makes it bad and yields zeros.
class Fields {
 public:
  explicit Fields(std::string_view bytes) : rest_(bytes) {}
  bool good() const { return good_; }

  std::uint64_t count() { return raw<std::uint64_t>(); }
  double number() { return raw<double>(); }
  bool flag() { return count() != 0; }
  int small() {
    const std::uint64_t value = count();
    if (value > 0x7fffffff) good_ = false;
    return static_cast<int>(value & 0x7fffffff);
  }
  std::string text() {
    const std::uint64_t length = count();
    if (length > rest_.size()) {
      good_ = false;
      return {};
    }
    const std::string out(rest_.substr(0, length));
    rest_.remove_prefix(std::min(padded(length), rest_.size()));
    return out;
  }
  std::string_view rest() const { return rest_; }

 private:
  template <class T>
  T raw() {
    T value{};
    if (rest_.size() < sizeof value) {
      good_ = false;
      return value;
    }
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return value;
  }

  std::string_view rest_;
  bool good_ = true;
};

class Assembler {
 public:
  explicit Assembler(DriverReport& report) : report_(report) {}

  // False when the frame does not fit where it stands.
  bool add(const Frame& frame) {
    Fields fields(frame.payload);
    if (report_.ended || !report_.error.empty()) return false;
    if (!greeted_ && frame.type != FrameType::hello && frame.type != FrameType::error) return false;
    return dispatch(frame.type, fields) && fields.good();
  }
  std::uint64_t declared_frames() const { return declared_frames_; }
  // For messages: where the stream stopped.
  std::string place() const {
    if (!greeted_) return "before the plugin was loaded";
    if (in_run_) return "in run " + std::to_string(report_.runs.size());
    return "after " + std::to_string(report_.runs.size()) + " runs";
  }

 private:
  bool dispatch(FrameType type, Fields& fields) {
    switch (type) {
      case FrameType::hello:
        return hello(fields);
      case FrameType::run_begin:
        return run_begin(fields);
      case FrameType::output:
        return output(fields);
      case FrameType::run_end:
        return run_end(fields);
      case FrameType::probe:
        return probe(fields);
      case FrameType::verified:
        return verified(fields);
      case FrameType::time:
        return time(fields);
      case FrameType::error:
        return error(fields);
      case FrameType::end:
        return end(fields);
      case FrameType::judged:
        return judged(fields);
      case FrameType::device:
        return device(fields);
    }
    return false;
  }

  bool hello(Fields& fields) {
    if (greeted_ || fields.count() != wire_version) return false;
    greeted_ = true;
    report_.entry = fields.text();
    report_.threads = fields.small();
    report_.load_seconds = fields.number();
    report_.arithmetic_changed = fields.flag();
    return true;
  }
  bool device(Fields& fields) {
    if (report_.gpu || in_run_) return false;
    GpuReport gpu;
    gpu.name = fields.text();
    gpu.architecture = fields.text();
    gpu.pci_address = fields.text();
    gpu.l2_bytes = static_cast<long long>(fields.count());
    gpu.memory_bytes = static_cast<long long>(fields.count());
    gpu.multiprocessors = fields.small();
    gpu.warp_size = fields.small();
    report_.gpu = std::move(gpu);
    return true;
  }
  bool run_begin(Fields& fields) {
    if (in_run_ || fields.count() != report_.runs.size()) return false;
    in_run_ = true;
    report_.runs.emplace_back();
    report_.runs.back().index = static_cast<int>(report_.runs.size()) - 1;
    return true;
  }
  bool output(Fields& fields) {
    const std::uint64_t run = fields.count();
    OutputBlob blob;
    blob.param = fields.small();
    const std::optional<ElementType> element = element_type_from(fields.text());
    if (!element || !fields.good()) return false;
    blob.element = *element;
    blob.bytes = fields.rest();
    if (blob.bytes.size() % size_of(*element) != 0) return false;
    if (run == no_run) {
      if (!verified_) return false;
      verified_->outputs.push_back(blob);
      return true;
    }
    if (!in_run_ || run != report_.runs.size() - 1) return false;
    report_.runs.back().outputs.push_back(blob);
    return true;
  }
  bool run_end(Fields& fields) {
    if (!in_run_ || fields.count() != report_.runs.size() - 1) return false;
    in_run_ = false;
    CheckRunReport& run = report_.runs.back();
    run.seconds = fields.number();
    run.guard_message = fields.text();
    run.input_message = fields.text();
    run.guards_ok = run.guard_message.empty();
    run.inputs_ok = run.input_message.empty();
    return true;
  }
  bool judged(Fields& fields) {
    if (in_run_ || fields.count() != report_.judged.size()) return false;
    JudgedRun judged;
    judged.holds = fields.flag();
    judged.why = fields.text();
    report_.judged.push_back(std::move(judged));
    return true;
  }
  bool probe(Fields& fields) {
    if (report_.probe) return false;
    ProbeReport probe;
    probe.first_call_seconds = fields.number();
    probe.seconds_per_call = fields.number();
    probe.calls = fields.small();
    probe.setup_seconds = fields.number();
    probe.generate_seconds = fields.number();
    probe.overall_seconds = fields.number();
    probe.data_bytes = fields.number();
    probe.scratch_bytes = fields.number();
    probe.fastest_seconds = fields.number();
    probe.slowest_seconds = fields.number();
    report_.probe = probe;
    return true;
  }
  bool verified(Fields& fields) {
    if (verified_) return false;
    VerifiedOutputs verified;
    verified.sample = fields.small();
    verified.case_index = fields.small();
    verified.seed = fields.count();
    verified.poison = fields.count();
    verified.calls = fields.small();
    verified_ = verified;
    return true;
  }
  bool time(Fields& fields) {
    if (report_.time) return false;
    TimeReport time;
    time.batch = fields.small();
    time.input_sets = fields.small();
    time.restored = fields.flag();
    time.warmup_seconds = fields.number();
    time.warmup_calls = fields.small();
    time.setup_seconds = fields.number();
    time.timed_wall_seconds = fields.number();
    time.scratch_bytes = fields.number();
    time.guard_message = fields.text();
    time.input_message = fields.text();
    time.guards_ok = time.guard_message.empty();
    time.inputs_ok = time.input_message.empty();
    samples(fields, time);
    sketches(fields, time);
    for (std::vector<double>* list : {&time.solo_samples, &time.own_turns, &time.peer_turns})
      numbers(fields, *list);
    time.verified = verified_;
    report_.time = time;
    return true;
  }
  static void samples(Fields& fields, TimeReport& time) {
    const std::uint64_t count = fields.count();
    for (std::uint64_t i = 0; i < count && fields.good(); ++i) {
      Sample sample;
      sample.seconds = fields.number();
      sample.order = fields.small();
      sample.input_set = fields.small();
      sample.involuntary_switches = static_cast<long long>(fields.count());
      sample.started = fields.number();
      time.samples.push_back(sample);
    }
  }
  static void sketches(Fields& fields, TimeReport& time) {
    const std::uint64_t count = fields.count();
    for (std::uint64_t i = 0; i < count && fields.good(); ++i) {
      OutputSketch sketch;
      sketch.sum = fields.number();
      sketch.squares = fields.number();
      sketch.bits = fields.count();
      time.sketches.push_back(sketch);
    }
  }
  static void numbers(Fields& fields, std::vector<double>& out) {
    const std::uint64_t count = fields.count();
    for (std::uint64_t i = 0; i < count && fields.good(); ++i) out.push_back(fields.number());
  }
  bool error(Fields& fields) {
    const std::uint64_t fault = fields.count();
    if (fault < 1 || fault > 3) return false;
    report_.fault = static_cast<DriverFault>(fault);
    report_.error = fields.text();
    return !report_.error.empty();
  }
  bool end(Fields& fields) {
    if (in_run_) return false;
    report_.ended = true;
    declared_frames_ = fields.count();
    report_.leftover_threads = static_cast<int>(static_cast<std::int64_t>(fields.count()));
    report_.arithmetic_left_changed = fields.flag();
    return true;
  }

  DriverReport& report_;
  std::optional<VerifiedOutputs> verified_;
  bool greeted_ = false, in_run_ = false;
  std::uint64_t declared_frames_ = 0;
};

}  // namespace

Result<DriverReport> parse_report(std::string_view bytes, std::uint64_t nonce) {
  DriverReport report;
  Assembler assembler(report);
  FrameReader reader(bytes, nonce);
  if (bytes.empty()) return fail("the driver's report is empty", "the process died before it could answer");
  while (!reader.at_end()) {
    const Result<Frame> frame = reader.next();
    if (!frame)
      return fail(frame.error().problem, frame.error().reason + ", " + assembler.place(), frame.error().hint);
    if (!assembler.add(*frame))
      return fail(broken, "frame " + std::to_string(reader.frames() - 1) + " is not expected there, " +
                              assembler.place());
  }
  if (report.ended && assembler.declared_frames() != reader.frames() - 1)
    return fail(broken, "its count of frames is wrong");
  if (!report.ended && report.error.empty())
    return fail("the driver's report is cut off", "it stops " + assembler.place(),
                "the process died or left early");
  return report;
}

}  // namespace noctune
