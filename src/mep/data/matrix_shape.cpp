// Dense matrices.
#include "mep/data/data_shape.hpp"
#include "mep/runtime/shapes.hpp"

namespace noctune {
namespace {

MatrixKind kind_of(const DataFields& fields) {
  const std::string word =
      !fields.has("kind") && fields.has("cond") ? "well_conditioned" : fields.word("kind");
  const char* const names[] = {"general",    "symmetric", "spd",   "dominant", "well_conditioned",
                               "orthogonal", "lower",     "upper", "distances"};
  for (std::int64_t i = 0; i < 9; ++i)
    if (word == names[i]) return static_cast<MatrixKind>(i);
  return MatrixKind::general;
}

bool takes_range(MatrixKind kind) {
  return kind == MatrixKind::general || kind == MatrixKind::symmetric || kind == MatrixKind::distances;
}

void read_range(DataFields& fields, MatrixShape& shape) {
  if ((fields.has("low") || fields.has("high")) && !takes_range(shape.kind))
    return fields.refuse("low and high are given, but the matrix's kind decides its values",
                         "ranges are for general, symmetric and distances");
  const bool whole = shape.kind == MatrixKind::distances;
  shape.low = fields.has("low") ? fields.number("low") : whole ? 1 : -1;
  shape.high = fields.has("high") ? fields.number("high") : whole ? 100 : 1;
  if (shape.high < shape.low) fields.refuse("high is below low");
  if (whole && !(shape.low >= 0 && shape.high <= 0x1p52)) fields.refuse("distances lie outside 0 to 2^52");
}

void check_square(DataFields& fields, const MatrixShape& shape) {
  const bool any = shape.kind == MatrixKind::general || shape.kind == MatrixKind::well_conditioned ||
                   shape.kind == MatrixKind::orthogonal;
  if (!any && shape.rows != shape.cols)
    fields.refuse("a " + fields.word("kind") + " matrix is square, not " + std::to_string(shape.rows) +
                      " by " + std::to_string(shape.cols),
                  "leave cols out");
}

PartShape values(const DataFields& fields, const MatrixShape& shape) {
  PartShape part;
  part.count = shape.rows * shape.cols * shape.batch;
  part.low = shape.low;
  part.high = shape.high;
  part.plain = shape.kind == MatrixKind::general;
  part.declared = fields.has("low") || fields.has("high");
  part.real = !part.plain && shape.kind != MatrixKind::distances;
  if (shape.kind == MatrixKind::distances) part.largest = shape.high;
  return part;
}

}  // namespace

Result<DataShape> matrix_shape(const ShapeInput& input) {
  DataFields fields(input.data(), input.symbols);
  MatrixShape shape;
  shape.rows = fields.whole("rows", 0, 1LL << 24);
  shape.cols = fields.has("cols") ? fields.whole("cols", 0, 1LL << 24) : shape.rows;
  shape.batch = fields.whole("batch", 1, 1LL << 30);
  shape.kind = kind_of(fields);
  shape.by_column = fields.is("layout", "col");
  shape.cond = shape.kind == MatrixKind::orthogonal ? 1 : fields.number("cond");
  if (!(shape.cond >= 1 && shape.cond <= 1e12)) fields.refuse("cond lies outside 1 to 1e12");
  read_range(fields, shape);
  check_square(fields, shape);
  if (static_cast<double>(shape.rows) * static_cast<double>(shape.cols) * static_cast<double>(shape.batch) >
      0x1p42)
    fields.refuse("it has more than 2^42 elements");
  if (fields.failed()) return fields.failure();
  DataShape out;
  out.plan.words = words_of(shape);
  out.parts["values"] = values(fields, shape);
  out.derived = {{"rows", static_cast<double>(shape.rows)}, {"cols", static_cast<double>(shape.cols)}};
  return out;
}

}  // namespace noctune
