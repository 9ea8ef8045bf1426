#include "model/data_generators.hpp"

namespace noctune {
namespace {

using Kind = DataField::Kind;

DataField needed(const char* name) {
  return {name, Kind::expression, true, {}, {}};
}
DataField number(const char* name, const char* fallback = "") {
  return {name, Kind::expression, false, fallback, {}};
}
// The first word is the default.
DataField word(const char* name, std::vector<std::string> words) {
  std::string first = words.front();
  return {name, Kind::word, false, std::move(first), std::move(words)};
}

DataGenerator matrix() {
  return {"matrix",
          {needed("rows"), number("cols"), number("batch", "1"),
           word("kind", {"general", "symmetric", "spd", "dominant", "well_conditioned", "orthogonal", "lower",
                         "upper", "distances"}),
           number("cond", "10"), word("layout", {"row", "col"}), number("low"), number("high")},
          {"values"},
          {},
          {"rows", "cols"}};
}

DataGenerator csr() {
  return {"csr",
          {needed("rows"), needed("cols"), needed("nnz_min"), needed("nnz_max"), number("low"),
           number("high"), word("pattern", {"random", "symmetric"}), word("values", {"random", "dominant"}),
           word("ell", {"column", "row"}), number("padding", "0")},
          {"row_ptr", "col", "val", "row", "length", "ell_col", "ell_val"},
          {"row_ptr", "col", "row", "length", "ell_col"},
          {"rows", "cols", "nnz", "width"}};
}

DataGenerator particles() {
  return {"particles",
          {word("lattice", {"fcc", "bcc", "sc"}), number("cells"), number("cells_y"), number("cells_z"),
           number("n"), number("a", "1"), number("jitter", "0.05"), number("types", "1"),
           number("first_type", "0"), word("pack", {"xyz", "xyz+type", "xyz+charge", "xyz+mass"})},
          {"x", "y", "z", "xyz", "pack", "type", "charge", "mass"},
          {"type"},
          {"n", "box", "box_y", "box_z", "lanes"}};
}

DataGenerator neighbours() {
  return {
      "neighbours",
      {{"of", Kind::data, true, {}, {}}, needed("cutoff"), number("skin"), word("list", {"full", "half"})},
      {"rows", "columns", "count", "offsets", "list", "cell_of", "cell_count", "cells", "head", "next"},
      {"rows", "columns", "count", "offsets", "list", "cell_of", "cell_count", "cells", "head", "next"},
      {"max", "n", "reach", "cells", "cells_x", "cells_y", "cells_z", "per_cell"}};
}

DataGenerator graph() {
  return {"graph",
          {needed("nodes"), needed("degree_min"), needed("degree_max"),
           word("edges", {"directed", "undirected"}), number("low", "1"), number("high", "100")},
          {"row_ptr", "col", "degree", "row", "weight", "source"},
          {"row_ptr", "col", "degree", "row", "source"},
          {"nodes", "edges"}};
}

DataGenerator mesh() {
  return {"mesh",
          {word("element", {"hex", "quad"}), needed("nx"), number("ny"), number("nz"),
           number("jitter", "0.2"), word("numbering", {"permuted", "natural"})},
          {"nodes", "x", "y", "z", "xyz", "neighbours", "boundary"},
          {"nodes", "neighbours", "boundary"},
          {"elements", "nodes", "corners", "faces", "dims"}};
}

DataGenerator keys() {
  return {
      "keys",
      {needed("n"), word("kind", {"random", "sorted", "unique", "sorted_unique", "few"}), number("low", "0"),
       number("high"), number("distinct", "16"), number("segments", "1"), number("bins", "1")},
      {"keys", "segments", "bins", "heads"},
      {"keys", "segments", "bins", "heads"},
      {"n", "segments", "bins"}};
}

DataGenerator declared(const char* name) {
  return {name, {}, {}, {}, {}};
}

}  // namespace

const std::vector<DataGenerator>& data_generators() {
  static const std::vector<DataGenerator> all = {csr(),  matrix(), particles(),      neighbours(),    graph(),
                                                 mesh(), keys(),   declared("code"), declared("file")};
  return all;
}

const DataGenerator* data_generator(const std::string& name) {
  for (const DataGenerator& generator : data_generators())
    if (generator.name == name) return &generator;
  return nullptr;
}

std::vector<std::string> parts_of(const DataSpec& data) {
  const DataGenerator* generator = data_generator(data.gen);
  if (generator && !generator->parts.empty()) return generator->parts;
  std::vector<std::string> names;
  for (const DataPart& part : data.parts) names.push_back(part.name);
  return names;
}

std::vector<std::string> derived_names(const DataSpec& data) {
  std::vector<std::string> names;
  if (const DataGenerator* generator = data_generator(data.gen))
    for (const std::string& count : generator->derived) names.push_back(data.name + "." + count);
  for (const std::string& part : parts_of(data)) names.push_back(data.name + "." + part + ".count");
  return names;
}

}  // namespace noctune
