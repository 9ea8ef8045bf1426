// Writes the example campaign's results file, for tests with other tools: store_example FILE
#include <cstdio>

#include "store/example_campaign.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  auto recorder = noctune::Recorder::open(argv[1], noctune::example::header());
  if (!recorder) return std::fprintf(stderr, "%s\n", recorder.error().text().c_str()), 1;
  noctune::example::record(**recorder);
  const auto facts = (*recorder)->finish("finished");
  if (!facts) return std::fprintf(stderr, "%s\n", facts.error().text().c_str()), 1;
  return 0;
}
