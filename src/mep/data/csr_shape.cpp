// Sparse matrices: CSR, and COO and ELL of the same entries.
#include <algorithm>

#include "mep/data/data_shape.hpp"
#include "mep/runtime/chords.hpp"
#include "mep/runtime/sparse.hpp"

namespace noctune {
namespace {

SparseShape read_shape(DataFields& fields) {
  SparseShape shape;
  shape.rows = fields.whole("rows", 0);
  shape.cols = fields.whole("cols", 0);
  shape.nnz_max = std::min<std::int64_t>(fields.whole("nnz_max", 0), shape.cols);
  shape.nnz_min = std::min<std::int64_t>(fields.whole("nnz_min", 0), shape.nnz_max);
  shape.symmetric = fields.is("pattern", "symmetric");
  shape.dominant = fields.is("values", "dominant");
  shape.ell_by_row = fields.is("ell", "row");
  shape.padding = fields.whole("padding", -1, 1LL << 40);
  if (fields.has("low")) shape.low = fields.number("low");
  if (fields.has("high")) shape.high = fields.number("high");
  return shape;
}

void check(DataFields& fields, const SparseShape& shape) {
  if (shape.high < shape.low) fields.refuse("high is below low");
  if (shape.symmetric && shape.rows != shape.cols)
    fields.refuse("a symmetric pattern needs as many rows as columns");
  if (shape.dominant && (fields.has("low") || fields.has("high")))
    fields.refuse("low and high are given, but dominant values have a range of their own",
                  "leave them out, or let values be random");
  if (shape.dominant && (shape.rows > shape.cols || (shape.nnz_min < 1 && shape.rows > 0)))
    fields.refuse("dominant values need a diagonal: nnz_min of at least 1, and no more rows than columns");
}

PartShape values(const DataFields& fields, const SparseShape& shape, long long count, bool plain) {
  PartShape part;
  part.count = count;
  part.plain = plain;
  part.real = !plain;
  part.low = shape.low;
  part.high = shape.high;
  part.declared = fields.has("low") || fields.has("high");
  return part;
}

}  // namespace

Result<DataShape> csr_shape(const ShapeInput& input) {
  DataFields fields(input.data(), input.symbols);
  SparseShape shape = read_shape(fields);
  check(fields, shape);
  if (fields.failed()) return fields.failure();
  const SparseRows rows(shape, input.structure_key());
  const long long nnz = static_cast<long long>(rows.entries());
  shape.width = static_cast<std::int64_t>(rows.longest());
  const long long padded = shape.rows * shape.width;
  DataShape out;
  out.plan.words = words_of(shape);
  out.parts["row_ptr"] = whole_part(shape.rows + 1, nnz);
  out.parts["col"] = whole_part(nnz, shape.cols - 1);
  out.parts["row"] = whole_part(nnz, shape.rows - 1);
  out.parts["length"] = whole_part(shape.rows, shape.width);
  out.parts["ell_col"] = whole_part(padded, std::max<long long>(shape.cols - 1, shape.padding),
                                    std::min<long long>(0, shape.padding));
  out.parts["val"] = values(fields, shape, nnz, shape.dominant == 0);
  out.parts["ell_val"] = values(fields, shape, padded, false);
  out.derived = {{"rows", static_cast<double>(shape.rows)},
                 {"cols", static_cast<double>(shape.cols)},
                 {"nnz", static_cast<double>(nnz)},
                 {"width", static_cast<double>(shape.width)}};
  return out;
}

}  // namespace noctune
