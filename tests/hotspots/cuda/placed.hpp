// Device memory for kernels that run on the CPU: what is read or written outside of a buffer faults or is
// found.
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "fakes/cuda_on_cpu.hpp"

namespace noctune {

// The first byte or the last one next to a page that faults. At the end an odd number of elements is not
// aligned for vectors.
enum class Place { page_start, page_end };

template <class T>
class Placed {
 public:
  Placed(const std::vector<T>& contents, Place place) : count_(contents.size()) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t bytes = count_ * sizeof(T);
    room_ = (bytes + page - 1) / page * page;
    mapped_ = room_ + 2 * page;
    void* all = mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) throw std::bad_alloc();
    base_ = static_cast<unsigned char*>(all);
    start_ = base_ + page;
    mprotect(start_, room_, PROT_READ | PROT_WRITE);
    std::fill(start_, start_ + room_, filler);
    data_ = reinterpret_cast<T*>(place == Place::page_start ? start_ : start_ + room_ - bytes);
    std::copy(contents.begin(), contents.end(), data_);
  }
  ~Placed() { munmap(base_, mapped_); }
  Placed(const Placed&) = delete;
  Placed& operator=(const Placed&) = delete;

  T* data() { return data_; }
  std::vector<T> values() const { return std::vector<T>(data_, data_ + count_); }

  // Nothing was written beside the elements.
  bool intact() const {
    const auto whole = [](const unsigned char* from, const unsigned char* to) {
      return std::all_of(from, to, [](unsigned char byte) { return byte == filler; });
    };
    const auto* first = reinterpret_cast<const unsigned char*>(data_);
    return whole(start_, first) && whole(first + count_ * sizeof(T), start_ + room_);
  }

 private:
  static constexpr unsigned char filler = 0xA5;
  std::size_t count_ = 0, room_ = 0, mapped_ = 0;
  unsigned char *base_ = nullptr, *start_ = nullptr;
  T* data_ = nullptr;
};

// Runs `body(entry, place)` for both versions, at both places and with threads in both orders.
template <class Entry, class Body>
void for_both(Entry* naive, Entry* tuned, const Body& body) {
  using cuda_on_cpu::Order;
  for (Entry* entry : {naive, tuned}) {
    for (const Place place : {Place::page_start, Place::page_end}) {
      for (const Order order : {Order::forward, Order::backward}) {
        SCOPED_TRACE(testing::Message() << (entry == naive ? "naive" : "tuned")
                                        << (place == Place::page_start ? ", start" : ", end") << " of a page"
                                        << (order == Order::forward ? "" : ", threads backwards"));
        cuda_on_cpu::set_order(order);
        body(entry, place);
      }
    }
  }
}

}  // namespace noctune
