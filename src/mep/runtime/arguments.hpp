// One complete set of arguments of the entry: guarded buffers, by-value arguments, scratch, and the slots
// that the glue reads. Calls go through it, so that what surrounds a call is the same in every mode.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "command.hpp"
#include "entry_buffer.hpp"
#include "generate.hpp"
#include "plugin.hpp"
#include "records.hpp"
#include "sketch.hpp"

namespace noctune {

class ArgumentSet {
 public:
  // Refuses through the report when memory is short.
  ArgumentSet(const CaseData& data, long long offset, const Plugin& plugin, const Team& team, Report& report);

  // Makes the inputs; those that no seed changes and no call may change are made once.
  void fill(std::uint64_t seed, Variant variant, long long only_param);
  // Cuts every floating-point input to about half of its precision: what a version that computes in a
  // narrower type would see.
  void round_inputs();
  // Takes one from a by-value whole number: what a version that forgets the last term would do.
  void shorten(std::size_t param);
  // Overwrites outputs and scratch.
  void poison(std::uint64_t pattern);
  // Remembers the inputs of role in, for changed_input().
  void remember_inputs();

  double setup(const Device& device);  // seconds; 0 where there is none
  void call() const { call_entry(plugin_.entry, slots_.data()); }

  std::string damage() const;         // of guard zones, naming the buffer; empty = none
  std::string changed_input() const;  // since remember_inputs(); empty = none
  void write_outputs(Report& report, std::uint64_t run) const;
  const std::vector<void*>& slots() const { return slots_; }
  // Hands room for the elements of an argument to `make(char*)` and takes over what it puts there.
  template <class Make>
  void set(std::size_t index, Make&& make) {
    const Place& place = entry_places[index];
    if (place.stride == 0) return make(buffers_[index].data());
    const std::size_t bytes = data_.args[index].bytes();
    make(copy_room(bytes));
    scatter(buffers_[place.owner].data(), place, copy_.data(), bytes, team_.size());
  }
  // Adds this set's compared outputs, in order, to one sketch each.
  void sketch(std::uint64_t key, std::vector<Sketch>& sketches) const;

  double data_bytes() const;
  double scratch_bytes() const { return scratch_ ? static_cast<double>(scratch_->size()) : 0; }

 private:
  void allocate(std::size_t index, long long offset, Report& report);
  // The elements of an argument, one behind the other; a copy where they are members of structs, good until
  // the next is asked for.
  const char* elements(std::size_t index) const;
  char* copy_room(std::size_t bytes) const;
  void allocate_scratch(long long offset, Report& report);
  void make_joints(Report& report);
  const JointMaker* maker_of(const Argument& argument) const;
  FillSeeds seeds(std::size_t index, std::uint64_t seed, Variant variant) const;

  const CaseData& data_;
  const Plugin& plugin_;
  const Team& team_;
  Report& report_;
  std::vector<EntryBuffer> buffers_;   // one per argument; empty for by-value ones, and for members but the
                                       // first, which holds the records
  std::vector<std::uint64_t> values_;  // by-value arguments, as they lie in memory
  std::unique_ptr<EntryBuffer> scratch_;
  std::vector<void*> slots_;
  std::vector<bool> filled_;
  std::vector<std::uint64_t> checksums_;
  std::vector<std::unique_ptr<JointMaker>> joints_;  // by data set; null where no argument needs it
  mutable DeviceMemory copy_;                        // of a member's elements
};

}  // namespace noctune
