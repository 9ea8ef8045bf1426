// Puts a winner into a file of the application.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"

namespace noctune {

struct PlaceRequest {
  std::string original;  // K(0), as it was tuned
  std::string winner;
  std::string entry;
  std::string file;                  // the application's text
  std::vector<std::string> symbols;  // the hotspot's names there
  std::string call_site;             // text of the file that is to be replaced; empty = found
  std::string stream_type;           // of the platform, cudaStream_t; empty on a CPU
};

struct Placed {
  std::string text;    // of the file
  std::string broken;  // the same with a winner that does nothing, to see whether it is used
  std::string rule;    // how it was placed, for people
};

class Placer {
 public:
  virtual ~Placer() = default;
  // An error says why this placer cannot; another one may.
  virtual Result<Placed> place(const PlaceRequest& request) const = 0;
};

}  // namespace noctune
