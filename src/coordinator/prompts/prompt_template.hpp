// One prompt template: text with {{name}} placeholders in sections that begin with "## ". A section whose
// placeholders are all empty disappears with its heading, and so does a line that holds nothing but an empty
// placeholder.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace noctune {

using PromptValues = std::map<std::string, std::string>;

class PromptTemplate {
 public:
  // `file` is named in errors. The first line must be "template: <name>/<version>"; a placeholder that is not
  // in `known` is an error with its line.
  static Result<PromptTemplate> parse(const std::string& text, const std::string& file,
                                      const std::string& name, const std::set<std::string>& known);

  const std::string& id() const { return id_; }  // "write/1"
  // Values are put in as they are: a placeholder inside a value stays text. Missing ones are empty.
  std::string render(const PromptValues& values) const;

 private:
  struct Piece {
    std::string text;  // or the placeholder's name
    bool placeholder = false;
  };
  using Line = std::vector<Piece>;
  using Section = std::vector<Line>;

  std::string id_;
  std::vector<Section> sections_;
};

}  // namespace noctune
