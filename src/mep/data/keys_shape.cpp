// Keys to sort, search and count.
#include <algorithm>

#include "mep/data/data_shape.hpp"
#include "mep/runtime/shapes.hpp"

namespace noctune {
namespace {

KeysKind kind_of(const DataFields& fields) {
  const char* const names[] = {"random", "sorted", "unique", "sorted_unique", "few"};
  for (std::int64_t i = 0; i < 5; ++i)
    if (fields.is("kind", names[i])) return static_cast<KeysKind>(i);
  return KeysKind::random;
}

// Unless the spec says: as many values as keys, or four times as many where sorted ones must differ.
std::int64_t highest(DataFields& fields, const KeysShape& shape) {
  if (fields.has("high")) return fields.whole("high", -(1LL << 52), 1LL << 52);
  const std::int64_t values = shape.kind == KeysKind::sorted_unique ? 4 * shape.n : shape.n;
  return shape.low + std::max({values, shape.distinct, shape.bins, std::int64_t{1}}) - 1;
}

void check(DataFields& fields, const KeysShape& shape) {
  const std::int64_t values = shape.high - shape.low + 1;
  const auto too_few = [&](std::int64_t wanted, const char* what) {
    if (values < wanted)
      fields.refuse(std::to_string(wanted) + " " + what + " are wanted, but there are only " +
                        std::to_string(values) + " whole numbers from low to high",
                    "widen the range");
  };
  if (values < 1) return fields.refuse("high is below low");
  if (shape.kind == KeysKind::unique || shape.kind == KeysKind::sorted_unique)
    too_few(shape.n, "different keys");
  if (shape.kind == KeysKind::few) too_few(shape.distinct, "distinct keys");
  too_few(shape.bins, "bins");
  if (shape.segments > std::max<std::int64_t>(shape.n, 1))
    fields.refuse(
        std::to_string(shape.segments) + " segments are wanted of " + std::to_string(shape.n) + " keys",
        "there can be no more segments than keys");
}

}  // namespace

Result<DataShape> keys_shape(const ShapeInput& input) {
  DataFields fields(input.data(), input.symbols);
  KeysShape shape;
  shape.n = fields.whole("n", 0);
  shape.kind = kind_of(fields);
  shape.low = fields.whole("low", -(1LL << 52), 1LL << 52);
  shape.distinct = fields.whole("distinct", 1);
  shape.segments = fields.whole("segments", 1);
  shape.bins = fields.whole("bins", 1);
  shape.high = highest(fields, shape);
  check(fields, shape);
  if (fields.failed()) return fields.failure();
  DataShape out;
  out.plan.words = words_of(shape);
  out.parts = {{"keys", whole_part(shape.n, shape.high, shape.low)},
               {"segments", whole_part(shape.segments + 1, shape.n)},
               {"bins", whole_part(shape.bins + 1, shape.high + 1, shape.low)},
               {"heads", whole_part(shape.n, 1)}};
  out.derived = {{"n", static_cast<double>(shape.n)},
                 {"segments", static_cast<double>(shape.segments)},
                 {"bins", static_cast<double>(shape.bins)}};
  return out;
}

}  // namespace noctune
