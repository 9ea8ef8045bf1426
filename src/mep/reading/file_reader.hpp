// What a source declares at file scope: functions with their bodies' places, types, symbols. Bodies are read
// by body_reader.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "mep/reading/declarators.hpp"
#include "mep/reading/tokens.hpp"

namespace noctune::reading {

// A function of the facts and where its tokens are.
struct FunctionPlace {
  std::size_t index = 0;  // in SourceFacts::functions
  Span body;              // between the braces
  std::vector<int> dims;  // of each parameter: subscripts until an element is reached
  std::string owner;      // its class; empty outside
};

struct FileFacts {
  SourceFacts facts;
  std::vector<FunctionPlace> places;
  std::set<std::string> known_names;   // enumerators and what is declared only
  std::set<std::string> used_types;    // names in declarations' types
  std::set<std::string> c_prototypes;  // declared with extern "C"
};

class FileReader {
 public:
  explicit FileReader(const Tokens& tokens) : tokens_(tokens) {}
  FileFacts read();

 private:
  struct Templates {
    std::vector<TemplateParam> params;
    bool explicit_instance = false, present = false;
    std::size_t begin = nowhere;
  };

  void scope(Span span, const std::string& owner, int depth);
  std::size_t one(std::size_t at, std::size_t end, const std::string& owner, int depth);
  std::size_t enter_or_skip(std::size_t at, std::size_t end);
  std::size_t templates(std::size_t at, Templates& out);
  std::size_t using_alias(std::size_t at, std::size_t end);
  std::size_t type_definition(std::size_t at, std::size_t end, int depth);
  std::size_t enumeration(std::size_t at, std::size_t end);
  std::size_t declaration_end(std::size_t at, std::size_t end, std::size_t& params) const;
  std::size_t body_of(std::size_t params, std::size_t end) const;
  void function(Span head, std::size_t params, std::size_t open, const Templates& templates,
                const std::string& owner);
  void read_params(SourceFunction& function, Span span, std::vector<int>& dims);
  std::string pasted_name(std::size_t params) const;
  void prototype(Span span, std::size_t params);
  void variables(Span span, const std::string& owner);
  void field(const Declaration& declaration, const std::string& owner);
  void alias(std::size_t at, std::size_t end);
  void instance(Span span);
  void use_types(const Declaration& declaration, const std::vector<TemplateParam>& templates);
  bool has_c_linkage(Span head) const;
  SourceStruct* find_struct(const std::string& name);
  void problem(const std::string& text, std::size_t at, bool fatal, const std::string& function = "");

  const Tokens& tokens_;
  FileFacts out_;
  std::vector<Span> c_blocks_;
};

}  // namespace noctune::reading
