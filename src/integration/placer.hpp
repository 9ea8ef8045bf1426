// Puts a winner into a file of the application.
#pragma once

#include <string>
#include <vector>

#include "base/async.hpp"
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

// Somebody is to say how a version is placed that no rule can place.
struct PlaceQuestion {
  PlaceRequest request;
  std::string hotspot;
  long long hotspot_id = -1;
  std::string refusal;  // of the rules
  int repair = 0;       // 0: the first answer
  // Of a repair: the answer before, and what came of it.
  std::string answer, failure, diagnostics;
  int repairs_left = 0;  // this one included
};

class PlaceAdviser {
 public:
  virtual ~PlaceAdviser() = default;
  // Edits for read_file_edits(). An error says that no answer will come.
  virtual Task<Result<std::string>> advise(PlaceQuestion question) = 0;
  // What became of the last answer to this question.
  virtual void heard(const PlaceQuestion& question, const std::string& reading) = 0;
};

}  // namespace noctune
