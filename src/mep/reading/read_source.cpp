#include "mep/reading/read_source.hpp"

namespace noctune {

SourceFacts read_source(const std::string&, const std::map<std::string, std::string>&) {
  return {};
}

std::vector<SourceLaunch> read_call_site(const std::string&, const SourceFacts&) {
  return {};
}

}  // namespace noctune
