// What a generated entry can name: its parameters, and the sizes that reach it through them. Internal to
// entry_source().
#pragma once

#include <set>
#include <string>

#include "mep/entry_expression.hpp"
#include "model/mep_spec.hpp"

namespace noctune {

class EntryScope {
 public:
  // The spec must outlive it.
  explicit EntryScope(const MepSpec& spec);

  const EntryNames& names() const { return names_; }
  // Whether all that an expression names is an int, or a plain number; `loops` are int variables.
  bool counts_in_ints(const std::string& expression, const EntryNames& names,
                      const std::set<std::string>& loops) const;
  const ParamSpec* find(const std::string& name) const;
  // `what` is for messages: "swap".
  Result<const ParamSpec*> buffer(const std::string& name, const char* what) const;
  Result<const ParamSpec*> writable(const std::string& name, const char* what) const;
  Result<std::string> expression(const std::string& text, const EntryNames& names) const;
  // Of so many elements of a buffer, all where `count` is empty.
  Result<std::string> bytes(const ParamSpec& param, const std::string& count, const EntryNames& names) const;

 private:
  void add_value(const ParamSpec& param, const std::string& prefix);
  Result<void> unambiguous(const std::string& text) const;

  const MepSpec& spec_;
  EntryNames names_;
  std::set<std::string> ints_;  // parameters and members of that type
};

}  // namespace noctune
