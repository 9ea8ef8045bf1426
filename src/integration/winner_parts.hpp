// A winner taken apart for a file that it is put into: its entry, and what the entry needs besides.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "integration/placer.hpp"
#include "model/source_facts.hpp"

namespace noctune {

// Names in the file are kept free: what the winner defines otherwise than the file gets "_noctune" behind its
// name, what both define alike is left out.
class WinnerParts {
 public:
  // `file`: facts of the request's file. Fails where the winner is no plain entry over functions.
  static Result<WinnerParts> take(const PlaceRequest& request, const SourceFacts& file);

  const std::string& entry_name() const { return entry_name_; }  // "spmv_noctune"
  const std::vector<SourceParam>& params() const { return params_; }
  const std::string& return_type() const { return return_type_; }
  const std::string& body() const { return body_; }  // of the entry, with its braces
  // What stands above the function that gets the body.
  const std::string& above() const { return above_; }
  // The same and the entry as a static function of its new name; `body` replaces the entry's own.
  std::string above_with_entry(const std::string& body) const;
  const std::vector<std::string>& includes() const { return includes_; }

 private:
  std::string entry_name_, body_, above_, before_entry_, head_, after_entry_, return_type_;
  std::vector<SourceParam> params_;
  std::vector<std::string> includes_;
};

// "{ (void)x; }": a body that does nothing with these parameters.
std::string idle_body(const std::vector<SourceParam>& params, const std::string& return_type);

}  // namespace noctune
