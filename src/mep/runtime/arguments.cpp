#include "arguments.hpp"

#include <algorithm>
#include <cstring>

#include "clock.hpp"
#include "generate.hpp"
#include "outside.hpp"
#include "random.hpp"

namespace noctune {
namespace {

std::uint64_t value_bits(const Argument& argument) {
  std::uint64_t bits = 0;
  with_component(argument.type->element, [&](auto zero) {
    using T = decltype(zero);
    T value;
    if constexpr (IsFloating<T>::value) {
      value = from_double<T>(argument.scalar);
    } else {
      value = argument.scalar < 0 ? static_cast<T>(static_cast<long long>(argument.scalar))
                                  : static_cast<T>(static_cast<unsigned long long>(argument.scalar));
    }
    std::memcpy(&bits, &value, sizeof value);
  });
  return bits;
}

}  // namespace

ArgumentSet::ArgumentSet(const CaseData& data, long long offset, const Plugin& plugin, const Team& team,
                         Report& report)
    : data_(data),
      plugin_(plugin),
      team_(team),
      report_(report),
      buffers_(data.args.size()),
      values_(data.args.size()),
      slots_(data.args.size()),
      filled_(data.args.size(), false),
      checksums_(data.args.size(), 0) {
  if (data.args.size() != entry_arguments)
    report.refuse(Fault::driver, "the command gives " + std::to_string(data.args.size()) +
                                     " arguments, the driver was built for " +
                                     std::to_string(entry_arguments));
  for (std::size_t i = 0; i < data.args.size(); ++i) allocate(i, offset, report);
  if (plugin.scratch_bytes) allocate_scratch(offset, report);
  make_joints(report);
}

void ArgumentSet::allocate(std::size_t index, long long offset, Report& report) {
  const Argument& argument = data_.args[index];
  if (!argument.pointer) {
    values_[index] = value_bits(argument);
    slots_[index] = &values_[index];
    return;
  }
  const Place& place = entry_places[index];
  const bool member = place.stride != 0;
  if (member && place.owner != index) {
    slots_[index] = buffers_[place.owner].data();
    return;
  }
  const std::size_t bytes = member ? argument.bytes() / place.bytes * place.stride : argument.bytes();
  const char* const name = member ? place.name : argument.name.c_str();
  // Structs may ask for more than malloc gives; nobody may count on less.
  const long long step = static_cast<long long>(place.alignment);
  const long long start = offset == at_page_end ? offset : (offset + step - 1) / step * step;
  if (!buffers_[index].allocate(bytes, start))
    report.refuse(Fault::driver,
                  std::string("no memory for ") + name + ": " + std::to_string(bytes) + " bytes");
  buffers_[index].name(name);
  slots_[index] = buffers_[index].data();
}

const char* ArgumentSet::elements(std::size_t index) const {
  const Place& place = entry_places[index];
  if (place.stride == 0) return buffers_[index].data();
  const std::size_t bytes = data_.args[index].bytes();
  gather(buffers_[place.owner].data(), place, copy_room(bytes), bytes, team_.size());
  return copy_.data();
}

// Room enough for any member, so that a pointer into it stays good.
char* ArgumentSet::copy_room(std::size_t bytes) const {
  for (const Argument& argument : data_.args) bytes = std::max(bytes, argument.bytes());
  if (!copy_.data() && !copy_.allocate(bytes))
    report_.refuse(Fault::driver, "no memory for a copy of a member");
  return copy_.data();
}

void ArgumentSet::allocate_scratch(long long offset, Report& report) {
  const std::size_t bytes = call_scratch_bytes(plugin_.scratch_bytes, slots_.data());
  scratch_ = std::make_unique<EntryBuffer>();
  if (!scratch_->allocate(bytes, offset))
    report.refuse(Fault::plugin,
                  "no memory for the scratch it asks for: " + std::to_string(bytes) + " bytes");
  scratch_->name("the scratch");
  slots_.push_back(scratch_->data());
}

void ArgumentSet::make_joints(Report& report) {
  joints_.resize(data_.sets.size());
  for (const Argument& argument : data_.args) {
    if (!argument.is_input() || argument.fill.kind != Fill::joint) continue;
    const std::size_t index = argument.fill.data;
    if (index >= joints_.size())
      report.refuse(Fault::driver, argument.name + " is part of a data set that is not there");
    if (joints_[index]) continue;
    const std::uint64_t key = stream_key(data_.structure_seed, csr_structure_stream + index);
    joints_[index] = make_outside(data_.sets[index], index, report);
    if (!joints_[index]) joints_[index] = make_joint(data_.sets[index], key);
    if (!joints_[index])
      report.refuse(Fault::driver, "the generator " + data_.sets[index].generator + " is not known");
  }
}

const JointMaker* ArgumentSet::maker_of(const Argument& argument) const {
  return argument.fill.kind == Fill::joint ? joints_[argument.fill.data].get() : nullptr;
}

FillSeeds ArgumentSet::seeds(std::size_t index, std::uint64_t seed, Variant variant) const {
  const std::uint64_t chosen = variant == Variant::reseeded ? mix_bits(seed ^ 0x7265736565646564ULL) : seed;
  const std::uint64_t data = data_.args[index].fill.data;
  return {stream_key(chosen, index), stream_key(chosen, joint_values_stream + data),
          stream_key(seed ^ 0x6e756467ULL, index)};
}

void ArgumentSet::fill(std::uint64_t seed, Variant variant, long long only_param) {
  for (std::size_t i = 0; i < data_.args.size(); ++i) {
    const Argument& argument = data_.args[i];
    if (!argument.is_input()) continue;
    const JointMaker* maker = maker_of(argument);
    if (filled_[i] && argument.use == Use::in && !depends_on_values(argument.fill, maker)) continue;
    const bool varied = only_param < 0 || only_param == static_cast<long long>(i);
    const Variant own = varied ? variant : Variant::normal;
    set(i, [&](char* to) { fill_buffer(to, argument, seeds(i, seed, own), own, team_.size(), maker); });
    filled_[i] = true;
  }
}

void ArgumentSet::round_inputs() {
  for (std::size_t i = 0; i < data_.args.size(); ++i) {
    if (!data_.args[i].is_input()) continue;
    elements(i);  // where they are a copy, set() hands out that very copy
    set(i, [&](char* to) { round_buffer(to, data_.args[i], team_.size()); });
  }
}

void ArgumentSet::shorten(std::size_t param) {
  if (param < values_.size() && !data_.args[param].pointer) --values_[param];
}

void ArgumentSet::poison(std::uint64_t pattern) {
  for (std::size_t i = 0; i < data_.args.size(); ++i) {
    const Argument& argument = data_.args[i];
    if (argument.pointer && !argument.is_input())
      set(i, [&](char* to) { fill_pattern(to, argument.bytes(), pattern, team_.size()); });
  }
  if (scratch_) fill_pattern(scratch_->data(), scratch_->size(), pattern, team_.size());
}

void ArgumentSet::remember_inputs() {
  for (std::size_t i = 0; i < data_.args.size(); ++i)
    if (data_.args[i].pointer && data_.args[i].use == Use::in)
      checksums_[i] = checksum(elements(i), data_.args[i].bytes(), team_.size());
}

double ArgumentSet::setup(const Device& device) {
  if (!plugin_.setup) return 0;
  const timespec start = now();
  call_setup(plugin_.setup, slots_.data());
  device.settle();
  return seconds_since(start);
}

std::string ArgumentSet::damage() const {
  std::string all;
  for (std::size_t i = 0; i <= buffers_.size(); ++i) {
    const bool scratch = i == buffers_.size();
    if (scratch ? !scratch_ : !buffers_[i].data()) continue;
    const std::string found = (scratch ? *scratch_ : buffers_[i]).damage();
    if (found.empty()) continue;
    const char* const records = scratch ? nullptr : entry_places[i].name;
    all += (all.empty() ? "" : "; ") +
           (scratch   ? std::string("scratch")
            : records ? std::string(records)
                      : data_.args[i].name) +
           ": " + found;
  }
  return all;
}

std::string ArgumentSet::changed_input() const {
  std::string names;
  for (std::size_t i = 0; i < data_.args.size(); ++i) {
    if (!data_.args[i].pointer || data_.args[i].use != Use::in) continue;
    if (checksum(elements(i), data_.args[i].bytes(), team_.size()) != checksums_[i])
      names += (names.empty() ? "" : ", ") + data_.args[i].name;
  }
  return names.empty() ? names : names + " changed although the role is in";
}

void ArgumentSet::write_outputs(Report& report, std::uint64_t run) const {
  std::vector<char> room;
  for (std::size_t i = 0; i < data_.args.size(); ++i) {
    const Argument& argument = data_.args[i];
    if (!argument.compared) continue;
    const Payload head = std::move(Payload().count(run).count(i).text(argument.type->name));
    const char* const bytes = on_host(elements(i), argument.bytes(), room);
    report.frame(FrameType::output, head, bytes, argument.bytes());
  }
}

void ArgumentSet::sketch(std::uint64_t key, std::vector<Sketch>& sketches) const {
  std::size_t next = 0;
  for (std::size_t i = 0; i < data_.args.size(); ++i) {
    if (!data_.args[i].compared) continue;
    if (next == sketches.size()) sketches.emplace_back();
    sketch_buffer(elements(i), data_.args[i], stream_key(key, i), team_.size(), sketches[next++]);
  }
}

double ArgumentSet::data_bytes() const {
  double sum = 0;
  for (const EntryBuffer& buffer : buffers_) sum += static_cast<double>(buffer.size());
  return sum;
}

}  // namespace noctune
