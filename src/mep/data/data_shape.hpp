// A data set once the sizes are known: how long its parts are and what they reach, the counts that
// expressions may use, and what the driver must know to make it. Internal to resolve_case().
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mep/case.hpp"
#include "model/expression.hpp"

namespace noctune {

struct PartShape {
  long long count = 0;                      // in numbers: a float4 counts four
  double smallest = 0, largest = 0;         // that an integer type must hold
  bool real = false;                        // fractions: for floating-point elements only
  bool plain = false;                       // every element drawn alone from low to high, as `uniform` does
  double low = -1, high = 1;                // plain
  bool declared = false;                    // plain: the spec states the range
  std::optional<ElementType> element = {};  // contents that are taken as they lie: of which type
};

struct DataShape {
  JointSet plan;
  std::map<std::string, PartShape> parts;
  std::map<std::string, double> derived;  // "rows", without the set's name
};

// The fields of one data set as numbers. The first problem is kept, and stands for the whole set.
class DataFields {
 public:
  DataFields(const DataSpec& data, const Symbols& symbols) : data_(data), symbols_(symbols) {}

  bool has(const std::string& key) const { return data_.fields.count(key) > 0; }
  // The spec's word, or the registry's default.
  std::string word(const std::string& key) const;
  bool is(const std::string& key, const char* value) const { return word(key) == value; }
  double number(const std::string& key);
  long long whole(const std::string& key, long long low, long long high = 1LL << 40);
  void refuse(const std::string& reason, const std::string& hint = {});

  bool failed() const { return failed_; }
  Failure failure() const { return Failure(error_); }

 private:
  const DataSpec& data_;
  const Symbols& symbols_;
  bool failed_ = false;
  Error error_;
};

// One file each: what a generator makes of its fields. `index`: of the set among the spec's; `earlier`: the
// shapes before it.
struct ShapeInput {
  const MepSpec& spec;
  int index;
  const std::vector<DataShape>& earlier;
  const Symbols& symbols;
  std::uint64_t seed;

  const DataSpec& data() const { return spec.data[static_cast<std::size_t>(index)]; }
  std::uint64_t structure_key() const;
};

Result<DataShape> matrix_shape(const ShapeInput& input);
Result<DataShape> csr_shape(const ShapeInput& input);
Result<DataShape> particles_shape(const ShapeInput& input);
Result<DataShape> neighbours_shape(const ShapeInput& input);
Result<DataShape> graph_shape(const ShapeInput& input);
Result<DataShape> mesh_shape(const ShapeInput& input);
Result<DataShape> keys_shape(const ShapeInput& input);
Result<DataShape> code_shape(const ShapeInput& input);
Result<DataShape> file_shape(const ShapeInput& input);

// A part of whole numbers; one of fractions.
PartShape whole_part(long long count, long long largest, long long smallest = 0);
PartShape real_part(long long count);

// All data sets of a spec in order; adds their derived counts to the symbols.
Result<std::vector<DataShape>> resolve_data(const MepSpec& spec, Symbols& symbols, std::uint64_t seed);

}  // namespace noctune
