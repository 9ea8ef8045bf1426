// A seccomp filter, put together call by call.
#pragma once

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace noctune {

// Kernels before 4.14 end the thread instead, which serves as well.
inline constexpr std::uint32_t kill_process = 0x80000000U;

#if defined(__x86_64__)
inline constexpr std::uint32_t native_architecture =
    AUDIT_ARCH_X86_64;  // x32 has numbers of its own, above all others
#elif defined(__aarch64__)
inline constexpr std::uint32_t native_architecture = AUDIT_ARCH_AARCH64;
#elif defined(__riscv) && __riscv_xlen == 64
inline constexpr std::uint32_t native_architecture = AUDIT_ARCH_RISCV64;
#elif defined(__powerpc64__) && defined(__LITTLE_ENDIAN__)
inline constexpr std::uint32_t native_architecture = AUDIT_ARCH_PPC64LE;
#else
inline constexpr std::uint32_t native_architecture = 0;  // filters cannot be made
#endif

class BpfFilter {
 public:
  // Starts with: calls of another processor's convention end the process, numbers above `newest` are unknown.
  explicit BpfFilter(std::uint32_t newest) {
    load(offsetof(seccomp_data, arch));
    when(BPF_JEQ, native_architecture, 1, 0);
    answer(kill_process);
    load(offsetof(seccomp_data, nr));
    when(BPF_JGT, newest, 0, 1);
    answer(refuse(ENOSYS));
  }

  static std::uint32_t refuse(int error) { return SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error); }

  void deny(long call, int error) {
    when(BPF_JEQ, static_cast<std::uint32_t>(call), 0, 1);
    answer(refuse(error));
  }
  // Allowed only when the argument is one of these, or only when it is none of them.
  enum class Values { allowed, refused };
  void judge(long call, int argument, Values kind, const std::vector<std::uint32_t>& values, int error) {
    const auto n = static_cast<std::uint8_t>(values.size());
    const bool refused = kind == Values::refused;
    when(BPF_JEQ, static_cast<std::uint32_t>(call), 0, static_cast<std::uint8_t>(n + (refused ? 4 : 3)));
    load_argument(argument);
    for (std::uint8_t i = 0; i < n; ++i) when(BPF_JEQ, values[i], static_cast<std::uint8_t>(n - i), 0);
    if (refused) program_.push_back(BPF_STMT(BPF_JMP | BPF_JA, 1));
    answer(refuse(error));
    load(offsetof(seccomp_data, nr));
  }
  // Allowed only when some of these bits are set, or only when none is.
  enum class Bits { needed, refused };
  void judge(long call, int argument, Bits kind, std::uint32_t bits, int error) {
    when(BPF_JEQ, static_cast<std::uint32_t>(call), 0, 4);
    load_argument(argument);
    when(BPF_JSET, bits, kind == Bits::needed ? 1 : 0, kind == Bits::needed ? 0 : 1);
    answer(refuse(error));
    load(offsetof(seccomp_data, nr));
  }
  // Refused when every one of these arguments has one of its bits.
  void deny_if_all(long call, const std::vector<std::pair<int, std::uint32_t>>& tests, int error) {
    const auto n = static_cast<std::uint8_t>(tests.size());
    when(BPF_JEQ, static_cast<std::uint32_t>(call), 0, static_cast<std::uint8_t>(2 * n + 2));
    for (std::uint8_t i = 0; i < n; ++i) {
      load_argument(tests[i].first);
      when(BPF_JSET, tests[i].second, 0, static_cast<std::uint8_t>(2 * (n - 1 - i) + 1));
    }
    answer(refuse(error));
    load(offsetof(seccomp_data, nr));
  }
  std::vector<sock_filter> finish() {
    answer(SECCOMP_RET_ALLOW);
    return program_;
  }

 private:
  void load(std::size_t offset) {
    program_.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)));
  }
  // The low half: all arguments judged here are 32 bits wide, and so are the processors little-endian.
  void load_argument(int index) { load(offsetof(seccomp_data, args) + 8 * static_cast<std::size_t>(index)); }
  void when(unsigned short test, std::uint32_t value, std::uint8_t then_skip, std::uint8_t else_skip) {
    const auto code = static_cast<unsigned short>(BPF_JMP | test | BPF_K);
    program_.push_back(BPF_JUMP(code, value, then_skip, else_skip));
  }
  void answer(std::uint32_t what) { program_.push_back(BPF_STMT(BPF_RET | BPF_K, what)); }

  std::vector<sock_filter> program_;
};

}  // namespace noctune
