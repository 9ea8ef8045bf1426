// Shared by the files that read a spec: words of its enumerations and checks that name their place.
// Internal to the codec.
#pragma once

#include <array>
#include <set>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "model/element_type.hpp"
#include "model/mep_spec.hpp"

namespace noctune {

inline constexpr std::array<const char*, 10> init_names = {"zeros",    "constant", "uniform",     "normal",
                                                           "integers", "index",    "permutation", "sorted",
                                                           "unique",   "joint"};
inline constexpr std::array<const char*, 4> role_names = {"in", "out", "inout", "scratch"};
inline constexpr std::array<const char*, 3> use_names = {"time", "check", "report"};
inline constexpr std::array<const char*, 2> compare_names = {"values", "invariants"};

template <class Names>
std::string listed(const Names& names) {
  std::string out;
  for (const auto& name : names) out += (out.empty() ? "" : ", ") + std::string(name);
  return out;
}

template <class Enum, std::size_t n>
Enum read_enum(StrictReader& reader, const std::string& key, const std::array<const char*, n>& names,
               Enum fallback) {
  const std::string word = reader.text(key, names[static_cast<std::size_t>(fallback)]);
  for (std::size_t i = 0; i < n; ++i)
    if (word == names[i]) return static_cast<Enum>(i);
  const std::string near = closest(word, {names.begin(), names.end()});
  reader.complain(key, "\"" + word + "\" is not known",
                  near.empty() ? "known: " + listed(names) : "did you mean \"" + near + "\"?");
}

void need_identifier(StrictReader& reader, const std::string& key, const std::string& text);
// Like has(), and marks the key as known where it is absent, so that hints can name it.
bool present(StrictReader& reader, const std::string& key);
// A number, or an expression over the given names; as text.
std::string read_expression(StrictReader& reader, const std::string& key, const std::set<std::string>& names);
std::string optional_expression(StrictReader& reader, const std::string& key,
                                const std::set<std::string>& names, const std::string& fallback);

// The data sets; adds their derived counts to the names that may be used.
std::vector<DataSpec> read_data(StrictReader reader, const std::map<std::string, std::string>& defines,
                                std::set<std::string>& names);

// The same for a value that lies deeper than the key, in a list.
std::string checked_expression(StrictReader& reader, const std::string& key, const OrderedJson& value,
                               const std::set<std::string>& names);

// What is known about a buffer whose contents are read: `names` are those that expressions may use.
struct ContentsOf {
  const std::vector<DataSpec>& data;
  const std::set<std::string>& names;
  ElementType type;
};
// The value of "init".
InitSpec read_init(StrictReader& reader, const ContentsOf& of);

// The parameters and symbols of a spec whose sizes, data and defines are read already; `names` are those they
// may use.
std::vector<ParamSpec> read_params(StrictReader& reader, const MepSpec& spec,
                                   const std::set<std::string>& names);
std::vector<ParamSpec> read_globals(StrictReader& reader, const MepSpec& spec,
                                    const std::set<std::string>& names);

// "template" and "sequence" of a spec whose parameters are read and whose globals are lowered.
void read_schedule(StrictReader& reader, MepSpec& spec, const std::set<std::string>& names);
OrderedJson to_json(const std::vector<StepSpec>& steps);
// A whole number as one, other expressions as text.
OrderedJson scalar_json(const std::string& text);

}  // namespace noctune
