// The parts of data sets, made as a driver makes them, for one spec's "data" and its sizes.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "mep/data/data_shape.hpp"
#include "mep/runtime/joint.hpp"
#include "mep/runtime/random.hpp"
#include "model/mep_spec_json.hpp"

namespace noctune::testing {

class Contents {
 public:
  // `data` is the JSON object of the spec.
  explicit Contents(const std::string& data, std::uint64_t structure_seed = 1)
      : spec_(read_mep_spec(value_or_throw(
            parse_json(R"({"entry": "f", "sizes": {"n": 1}, "data": )" + data +
                           R"(, "params": [{"name": "y", "type": "double*", "count": 1, "role": "out"}]})",
                       "spec")))) {
    symbols["n"] = 1;
    shapes_ = value_or_throw(resolve_data(spec_, symbols, structure_seed));
    for (std::size_t i = 0; i < shapes_.size(); ++i)
      makers_.push_back(make_joint(shapes_[i].plan, stream_key(structure_seed, csr_structure_stream + i)));
  }

  // "A.col": whole, after making sure that pieces of it are the same numbers.
  std::vector<double> part(const std::string& full, std::uint64_t values = 5) const {
    const std::size_t set = index_of(full.substr(0, full.find('.')));
    const std::string name = full.substr(full.find('.') + 1);
    const auto count = static_cast<std::size_t>(shapes_[set].parts.at(name).count);
    std::vector<double> all(count), pieces(count);
    const Transposed layout = makers_[set]->transposed(name);
    const std::string made = layout.of ? layout.of : name;
    const JointRequest wanted{made, stream_key(values, joint_values_stream + set)};
    makers_[set]->block(wanted, 0, count, all.data());
    for (std::size_t at = 0, step = 1; at < count; at += step, step = step * 2 + 1) {
      const std::size_t length = std::min(step, count - at);
      makers_[set]->block(wanted, at, length, pieces.data() + at);
    }
    EXPECT_EQ(all, pieces) << full << " must not depend on how it is cut into blocks";
    if (!layout.of) return all;
    for (std::size_t i = 0; i < count; ++i)
      pieces[i % layout.width * (count / layout.width) + i / layout.width] = all[i];
    return pieces;
  }
  std::vector<long long> whole(const std::string& full, std::uint64_t values = 5) const {
    std::vector<long long> out;
    for (const double value : part(full, values)) {
      out.push_back(static_cast<long long>(value));
      EXPECT_EQ(static_cast<double>(out.back()), value) << full;
    }
    return out;
  }
  const PartShape& shape(const std::string& full) const {
    const std::size_t set = index_of(full.substr(0, full.find('.')));
    return shapes_[set].parts.at(full.substr(full.find('.') + 1));
  }
  const JointMaker& maker(const std::string& set) const { return *makers_[index_of(set)]; }
  long long count(const std::string& name) const { return static_cast<long long>(symbols.at(name)); }

  Symbols symbols;

 private:
  std::size_t index_of(const std::string& name) const {
    for (std::size_t i = 0; i < spec_.data.size(); ++i)
      if (spec_.data[i].name == name) return i;
    ADD_FAILURE() << "no data " << name;
    return 0;
  }

  MepSpec spec_;
  std::vector<DataShape> shapes_;
  std::vector<std::unique_ptr<JointMaker>> makers_;
};

// The complaint about data that cannot be.
inline std::string problem_of(const std::string& data) {
  try {
    const Contents contents(data);
  } catch (const UserError& error) {
    return error.what();
  }
  return "no problem";
}

}  // namespace noctune::testing
