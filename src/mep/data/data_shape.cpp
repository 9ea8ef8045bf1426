#include "mep/data/data_shape.hpp"

#include "mep/case_args.hpp"
#include "mep/runtime/random.hpp"
#include "model/data_generators.hpp"

namespace noctune {
namespace {

using MakeShape = Result<DataShape> (*)(const ShapeInput&);

const std::map<std::string, MakeShape>& makers() {
  static const std::map<std::string, MakeShape> all = {{"csr", csr_shape},
                                                       {"matrix", matrix_shape},
                                                       {"particles", particles_shape},
                                                       {"neighbours", neighbours_shape},
                                                       {"graph", graph_shape},
                                                       {"mesh", mesh_shape},
                                                       {"keys", keys_shape},
                                                       {"code", code_shape},
                                                       {"file", file_shape}};
  return all;
}

}  // namespace

PartShape whole_part(long long count, long long largest, long long smallest) {
  PartShape part;
  part.count = count;
  part.smallest = static_cast<double>(smallest);
  part.largest = static_cast<double>(largest);
  return part;
}

PartShape real_part(long long count) {
  PartShape part;
  part.count = count;
  part.real = true;
  return part;
}

std::uint64_t ShapeInput::structure_key() const {
  return stream_key(seed, csr_structure_stream + static_cast<std::uint64_t>(index));
}

std::string DataFields::word(const std::string& key) const {
  const auto given = data_.fields.find(key);
  if (given != data_.fields.end()) return given->second;
  for (const DataField& field : data_generator(data_.gen)->fields)
    if (field.name == key) return field.fallback;
  return {};
}

double DataFields::number(const std::string& key) {
  const Result<double> value = evaluate(word(key), symbols_);
  if (value) return *value;
  refuse(key + ": " + value.error().problem + ": " + value.error().reason, value.error().hint);
  return 0;
}

long long DataFields::whole(const std::string& key, long long low, long long high) {
  const Result<long long> value = evaluate_integer(word(key), symbols_);
  if (!value) {
    refuse(key + ": " + value.error().problem + ": " + value.error().reason, value.error().hint);
    return low;
  }
  if (*value >= low && *value <= high) return *value;
  refuse(key + " = " + std::to_string(*value) + " lies outside " + std::to_string(low) + " to " +
         std::to_string(high));
  return low;
}

void DataFields::refuse(const std::string& reason, const std::string& hint) {
  if (!failed_) error_ = {"data \"" + data_.name + "\"", reason, hint};
  failed_ = true;
}

Result<std::vector<DataShape>> resolve_data(const MepSpec& spec, Symbols& symbols, std::uint64_t seed) {
  std::vector<DataShape> shapes;
  for (const DataSpec& data : spec.data) {
    const auto maker = makers().find(data.gen);
    if (maker == makers().end())
      return fail("data \"" + data.name + "\"", "the generator \"" + data.gen + "\" is not known");
    Result<DataShape> shape = maker->second({spec, static_cast<int>(shapes.size()), shapes, symbols, seed});
    if (!shape) return Failure(shape.error());
    shape->plan.generator = data.gen;
    for (const auto& [name, value] : shape->derived) symbols[data.name + "." + name] = value;
    for (const auto& [name, part] : shape->parts)
      symbols[data.name + "." + name + ".count"] = static_cast<double>(part.count);
    shapes.push_back(std::move(*shape));
  }
  return shapes;
}

}  // namespace noctune
