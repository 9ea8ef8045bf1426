// A list of what is allowed, not of what is forbidden: flags can name plugins, files and linkers. The
// optimisation level, instruction sets and the C++ standard are the campaign's.
#include "coordinator/prompts/extra_flags.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "coordinator/prompts/plain_text.hpp"

namespace noctune {
namespace {

constexpr std::size_t most_flags = 12;

struct FlagList {
  std::vector<const char*> plain;
  std::vector<const char*> numbered;  // followed by a number: "-falign-loops=32"
};

const FlagList& flags_of(const std::string& backend) {
  static const FlagList gnu = {
      {"-fno-math-errno",
       "-fno-trapping-math",
       "-funroll-loops",
       "-fno-unroll-loops",
       "-fprefetch-loop-arrays",
       "-fno-semantic-interposition",
       "-fno-plt",
       "-fno-strict-aliasing",
       "-fno-tree-vectorize",
       "-fno-tree-slp-vectorize",
       "-floop-interchange",
       "-floop-unroll-and-jam",
       "-fpeel-loops",
       "-fsplit-loops",
       "-funswitch-loops",
       "-ftree-loop-distribution",
       "-fipa-pta",
       "-fmodulo-sched",
       "-fvect-cost-model=unlimited",
       "-fvect-cost-model=dynamic",
       "-fsimd-cost-model=unlimited",
       "-mprefer-vector-width=128",
       "-mprefer-vector-width=256",
       "-mprefer-vector-width=512",
       "-O3"},
      {"-falign-loops=", "-falign-functions=", "-finline-limit=", "--param=max-unroll-times=",
       "--param=max-unrolled-insns=", "--param=prefetch-latency=", "--param=simultaneous-prefetches="}};
  static const FlagList nvcc = {{"--extra-device-vectorization", "-Xptxas=-dlcm=ca", "-Xptxas=-dlcm=cg"},
                                {"-maxrregcount="}};
  static const FlagList hipcc = {
      {"-funroll-loops", "-fno-unroll-loops", "-fno-vectorize", "-fno-slp-vectorize"},
      {"--gpu-max-threads-per-block="}};
  return backend == "cuda" ? nvcc : backend == "hip" ? hipcc : gnu;
}

constexpr std::array changing = {"fast-math",
                                 "Ofast",
                                 "unsafe-math",
                                 "associative-math",
                                 "reciprocal-math",
                                 "finite-math",
                                 "signed-zeros",
                                 "cx-limited",
                                 "single-precision",
                                 "rounding-math",
                                 "fp-contract",
                                 "fp-model",
                                 "mrecip",
                                 "flush-to-zero",
                                 "daz-ftz",
                                 "fast_math",
                                 "ftz",
                                 "prec-",
                                 "fmad",
                                 "denormal"};

bool is_number(const std::string& text) {
  return !text.empty() && text.size() <= 6 && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
  });
}

bool allowed(const std::string& flag, const FlagList& list) {
  if (std::find(list.plain.begin(), list.plain.end(), flag) != list.plain.end()) return true;
  return std::any_of(list.numbered.begin(), list.numbered.end(), [&](const std::string& start) {
    return flag.rfind(start, 0) == 0 && is_number(flag.substr(start.size()));
  });
}

std::string refusal(const std::string& flag) {
  for (const char* word : changing)
    if (flag.find(word) != std::string::npos) return flag + " changes values";
  constexpr std::array chosen = {"-march",   "-mtune", "-std",     "--std",
                                 "-fopenmp", "-arch",  "-gencode", "--offload-arch"};
  if (std::any_of(chosen.begin(), chosen.end(), [&](const char* start) { return flag.rfind(start, 0) == 0; }))
    return flag + " is the campaign's to choose";
  return flag + " is not on the list of value-preserving flags";
}

void add(std::vector<std::string>& to, const std::string& text) {
  if (to.size() < most_flags && std::find(to.begin(), to.end(), text) == to.end()) to.push_back(text);
}

}  // namespace

ReadFlags read_flags(const std::string& line, const std::string& backend) {
  ReadFlags out;
  std::string word;
  const auto finish = [&] {
    if (word.size() > 1 && word[0] == '-' && word.find_first_not_of('-') != std::string::npos) {
      if (allowed(word, flags_of(backend)))
        add(out.accepted, word);
      else
        add(out.refused, refusal(one_line(word, 80)));
    }
    word.clear();
  };
  for (const char c : line) {
    const bool ends = std::isspace(static_cast<unsigned char>(c)) != 0 ||
                      std::string(",;`'\"[]()").find(c) != std::string::npos;
    if (ends)
      finish();
    else
      word += c;
  }
  finish();
  return out;
}

std::string allowed_flags_text(const std::string& backend) {
  const FlagList& list = flags_of(backend);
  std::string out;
  for (const char* flag : list.plain) out += (out.empty() ? "`" : ", `") + std::string(flag) + "`";
  for (const char* flag : list.numbered) out += ", `" + std::string(flag) + "N`";
  return out;
}

}  // namespace noctune
