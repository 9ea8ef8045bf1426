// main of every host program.
#include "program.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace {

// A whole number from 1 to `most`, or 0 when the text is none.
long number(const char* text, long most) {
  char* end = nullptr;
  errno = 0;
  const long value = std::strtol(text, &end, 10);
  return errno == 0 && *text != '\0' && *end == '\0' && value >= 1 && value <= most ? value : 0;
}

int usage() {
  std::fprintf(stderr, "usage: %s [SIZE [REPEATS]]   whole numbers of at least 1; default %ld and %d\n",
               host::program.name.c_str(), host::program.size, host::program.repeats);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  const host::Program& program = host::program;
  const long size = argc > 1 ? number(argv[1], 1L << 31) : program.size;
  const long repeats = argc > 2 ? number(argv[2], 1 << 20) : program.repeats;
  if (argc > 3 || size == 0 || repeats == 0) return usage();

  const host::Outcome outcome = program.run(size, static_cast<int>(repeats));
  const bool passed = outcome.error <= outcome.allowed;  // false for NaN
  std::printf("hotspot: %s\nsize: %ld\nrepeats: %ld\n", program.name.c_str(), size, repeats);
  std::printf("seconds: %.6f\n", outcome.seconds);
  std::printf("figure of merit: %.6g %s\n", outcome.work / outcome.seconds, outcome.unit.c_str());
  std::printf("self-check: %s (largest error %.3g, allowed %.3g)\n", passed ? "passed" : "FAILED",
              outcome.error, outcome.allowed);
  return passed ? 0 : 1;
}
