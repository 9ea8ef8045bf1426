#include <cstdio>
#include <exception>

#include "app/capture.hpp"
#include "app/init.hpp"
#include "app/integrate.hpp"
#include "app/mep.hpp"
#include "app/options.hpp"
#include "app/patterns.hpp"
#include "app/prompt.hpp"
#include "app/relay.hpp"
#include "app/report.hpp"
#include "app/try.hpp"
#include "app/tune.hpp"
#include "app/verbs.hpp"
#include "base/error.hpp"
#include "base/mpi.hpp"

namespace {

int run(const noctune::Options& options, int argc, char** argv) {
  switch (options.verb) {
    case noctune::Verb::tune:
      return noctune::tune(options, &argc, &argv);
    case noctune::Verb::mep:
      return noctune::complete_meps(options);
    case noctune::Verb::init:
      return noctune::init_campaign(options);
    case noctune::Verb::try_version:
      return noctune::try_version(options);
    case noctune::Verb::prompt:
      return noctune::prompt(options);
    case noctune::Verb::integrate:
      return noctune::integrate(options);
    case noctune::Verb::report:
      return noctune::report(options);
    case noctune::Verb::export_hotspot:
      return noctune::export_result(options);
    case noctune::Verb::patterns:
      return noctune::patterns(options);
    case noctune::Verb::rebuild:
      return noctune::rebuild(options);
    case noctune::Verb::doctor:
      return noctune::doctor(options);
    case noctune::Verb::relay:
      return noctune::relay(options);
    case noctune::Verb::capture:
      return noctune::capture(options);
    case noctune::Verb::none:
      break;
  }
  return static_cast<int>(noctune::Exit::usage);
}

}  // namespace

int main(int argc, char** argv) {
  const noctune::Options options = noctune::parse_options(argc, argv);
  if (options.exit_code) return *options.exit_code;
  try {
    return run(options, argc, argv);
  } catch (const noctune::UserError& error) {
    if (noctune::launcher_rank() == 0) std::fprintf(stderr, "noctune: %s\n", error.what());
    return static_cast<int>(error.code());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "noctune: %s\n", error.what());
    return static_cast<int>(noctune::Exit::failure);
  }
}
