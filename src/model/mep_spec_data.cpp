// The data sets of a spec, by the registry of generators; later sets may use the counts of earlier ones.
#include <algorithm>

#include "model/data_generators.hpp"
#include "model/element_type.hpp"
#include "model/mep_spec_words_json.hpp"

namespace noctune {
namespace {

const DataGenerator& read_generator(StrictReader& reader, DataSpec& data) {
  data.gen = reader.text("gen");
  if (const DataGenerator* known = data_generator(data.gen)) return *known;
  std::vector<std::string> names;
  for (const DataGenerator& one : data_generators()) names.push_back(one.name);
  const std::string near = closest(data.gen, names);
  reader.complain("gen", "there is no generator \"" + data.gen + "\"",
                  near.empty() ? "known: " + listed(names) : "did you mean \"" + near + "\"?");
}

std::string read_word(StrictReader& reader, const DataField& field) {
  const std::string word = reader.text(field.name);
  if (std::find(field.words.begin(), field.words.end(), word) != field.words.end()) return word;
  const std::string near = closest(word, field.words);
  reader.complain(field.name, "\"" + word + "\" is not known",
                  near.empty() ? "known: " + listed(field.words) : "did you mean \"" + near + "\"?");
}

std::string read_set_name(StrictReader& reader, const std::string& key,
                          const std::vector<DataSpec>& earlier) {
  const std::string name = reader.text(key);
  for (const DataSpec& data : earlier)
    if (data.name == name && data.gen == "particles") return name;
  reader.complain(key, "\"" + name + "\" is no set of particles that stands before this one",
                  "for example {\"gen\": \"particles\", \"lattice\": \"fcc\", \"cells\": 8}");
}

void read_fields(StrictReader& reader, const DataGenerator& generator, const std::vector<DataSpec>& earlier,
                 const std::set<std::string>& names, DataSpec& data) {
  for (const DataField& field : generator.fields) {
    if (!field.required && !present(reader, field.name)) continue;
    if (!reader.has(field.name)) reader.complain(field.name, "is missing, and \"" + data.gen + "\" needs it");
    switch (field.kind) {
      case DataField::Kind::expression:
        data.fields[field.name] = read_expression(reader, field.name, names);
        break;
      case DataField::Kind::word:
        data.fields[field.name] = read_word(reader, field);
        break;
      case DataField::Kind::data:
        data.fields[field.name] = read_set_name(reader, field.name, earlier);
        break;
    }
  }
}

DataPart read_part(StrictReader reader, const std::string& name, const DataSpec& data,
                   const std::set<std::string>& names, const std::map<std::string, std::string>& defines) {
  DataPart part;
  part.name = name;
  part.type = reader.text("type");
  if (part.type.find_first_of("*&[(") != std::string::npos || !element_form_of(part.type + "*", defines))
    reader.complain("type", "the element type \"" + part.type + "\" is not known",
                    "the type of one element, for example \"double\"");
  if (data.gen == "code") {
    part.count = read_expression(reader, "count", names);
  } else {
    part.file = reader.text("file");
    if (part.file.empty()) reader.complain("file", "must not be empty");
    part.count = optional_expression(reader, "count", names, "");
  }
  reader.finish();
  return part;
}

void read_parts(StrictReader& reader, DataSpec& data, const std::set<std::string>& names,
                const std::map<std::string, std::string>& defines) {
  StrictReader parts = reader.object("parts");
  for (const std::string& name : parts.keys()) {
    need_identifier(parts, name, name);
    data.parts.push_back(read_part(parts.object(name), name, data, names, defines));
    parts.raw(name);
  }
  if (data.parts.empty())
    reader.complain(
        "parts", "is missing, and \"" + data.gen + "\" needs it",
        data.gen == "code"
            ? "for example {\"table\": {\"type\": \"double\", \"count\": \"n\"}}"
            : "for example {\"x\": {\"file\": \"x.bin\", \"type\": \"double\", \"count\": \"n\"}}");
}

}  // namespace

std::vector<DataSpec> read_data(StrictReader reader, const std::map<std::string, std::string>& defines,
                                std::set<std::string>& names) {
  std::vector<DataSpec> all;
  for (const std::string& name : reader.keys()) {
    need_identifier(reader, name, name);
    StrictReader item = reader.object(name);
    DataSpec data;
    data.name = name;
    const DataGenerator& generator = read_generator(item, data);
    read_fields(item, generator, all, names, data);
    if (generator.parts.empty()) read_parts(item, data, names, defines);
    item.finish();
    reader.raw(name);
    for (const std::string& derived : derived_names(data)) names.insert(derived);
    all.push_back(std::move(data));
  }
  return all;
}

}  // namespace noctune
