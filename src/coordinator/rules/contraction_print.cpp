// The packed, register-tiled form of a contraction as C++ text.
#include <algorithm>

#include "coordinator/rules/contraction.hpp"
#include "coordinator/rules/template_text.hpp"

namespace noctune::rules {
namespace {

std::string num(long long value) {
  return std::to_string(value);
}

// --- the tile function, at file level ---

const char* tile_template = R"(typedef $type $vector __attribute__((vector_size($bytes), may_alias));

// tile ($rows x $columns) = the product of two packed panels: per step of the depth, a holds $rows values
// and b holds $columns, aligned. All sums stay in vector registers.
static void $function(long depth, const $type* a, const $type* b, $type* tile) {
  $sums
  for (long k = 0; k < depth; ++k) {
    $loads
    $updates
    a += $rows;
    b += $columns;
  }
  $vector* out = reinterpret_cast<$vector*>(tile);
  $stores
}
)";

std::string tile_name(const TileShape& shape, const std::string& type) {
  return std::string("multiply_tile_") + (type == "float" ? "float_" : "") + num(shape.rows) + "x" +
         num(shape.vectors * shape.lanes);
}

std::string tile_function(const TileShape& shape, const std::string& type) {
  TemplateValues values = {{"type", type},
                           {"vector", type + "s" + num(shape.lanes)},
                           {"bytes", num(shape.lanes * (type == "double" ? 8 : 4))},
                           {"rows", num(shape.rows)},
                           {"columns", num(shape.vectors * shape.lanes)},
                           {"function", tile_name(shape, type)}};
  std::string &sums = values["sums"], &loads = values["loads"], &updates = values["updates"],
              &stores = values["stores"];
  const std::string vector = values["vector"];
  for (int v = 0; v < shape.vectors; ++v)
    loads += "const " + vector + " b" + num(v) + " = reinterpret_cast<const " + vector + "*>(b)[" + num(v) +
             "];\n";
  for (int r = 0; r < shape.rows; ++r) {
    sums += vector + " ";
    for (int v = 0; v < shape.vectors; ++v) {
      const std::string sum = "c" + num(r) + "_" + num(v), gap = v ? " " : "";
      sums += (v ? ", " : "") + sum + " = {}";
      updates += gap + sum + " += a[" + num(r) + "] * b" + num(v) + ";";
      stores += gap + "out[" + num(r * shape.vectors + v) + "] = " + sum + ";";
    }
    sums += ";\n", updates += "\n", stores += "\n";
  }
  return fill_template(tile_template, values);
}

// --- the nest ---

const char* nest_template = R"(const long $m = std::max(0L, $row_count);
const long $n = std::max(0L, $column_count);
const long $k = std::max(0L, $depth_count);
const long $row_panels = ($m + $MR - 1) / $MR;
const long $column_panels = ($n + $NR - 1) / $NR;
$block_width
$type* $packed_columns = new (std::align_val_t(64)) $type[$column_panels * $NR * $k + 1];
#pragma omp parallel
{
  $type* $packed_rows = new (std::align_val_t(64)) $type[$MB * $MR * $k + 1];
  $pack_columns
#pragma omp for collapse(2) schedule(dynamic)
  for (long $row_block = 0; $row_block < $row_panels; $row_block += $MB) {
    for (long $column_block = 0; $column_block < $column_panels; $column_block += $width_of_block) {
      alignas(64) $type $tile[$MR * $NR];
      const long $column_end = std::min($column_block + $width_of_block, $column_panels);
      const long $row_end = std::min($row_block + $MB, $row_panels);
      $skip_block
      $pack_rows
      for (long $row_panel = $row_block; $row_panel < $row_end; ++$row_panel) {
        for (long $column_panel = $column_block; $column_panel < $column_end; ++$column_panel) {
          $skip_tile
          const $type* $panel = $packed_rows + ($row_panel - $row_block) * $MR * $k;
          $function($k, $panel, $packed_columns + $column_panel * $NR * $k, $tile);
          for (long $row = $row_panel * $MR; $row < std::min($m, $row_panel * $MR + $MR); ++$row) {
            $row_counters
            const $type* $sums = $tile + ($row - $row_panel * $MR) * $NR;
            const long $width = std::min($column_limit, $column_panel * $NR + $NR);
#pragma omp simd
            for (long $column = $column_panel * $NR; $column < $width; ++$column) {
              $column_counter
              $element
            }
          }
        }
      }
    }
  }
  ::operator delete[]($packed_rows, std::align_val_t(64));
}
::operator delete[]($packed_columns, std::align_val_t(64));
)";

const char* pack_rows_template = R"(for (long $row = $row_block * $MR; $row < $row_end * $MR; ++$row) {
  $type* $to = $packed_rows + ($row / $MR - $row_block) * $MR * $k + $row % $MR;
  if ($row >= $m) {
    for (long $at = 0; $at < $k; ++$at) $to[$at * $MR] = 0;
    continue;
  }
  $row_counters
  $depth_header $to[$depth_at * $MR] = $row_product;
}
)";

// With many row blocks a task takes all columns, so that its rows are packed once.
const char* block_width_template = R"(const bool $many_rows = $row_panels >= 4 * $MB * omp_get_max_threads();
const long $width_of_block = $many_rows ? std::max(1L, $column_panels) : $NB;
)";

const char* whole_width_template = R"(const long $width_of_block = std::max(1L, $column_panels);
)";

const char* pack_columns_template = R"(#pragma omp for
for (long $column_panel = 0; $column_panel < $column_panels; ++$column_panel) {
  const long $width = std::min($n, $column_panel * $NR + $NR);
  $depth_header {
    $type* $to = $packed_columns + ($column_panel * $k + $depth_at) * $NR;
    for (long $column = $column_panel * $NR; $column < $width; ++$column) {
      $column_counter
      $to[$column - $column_panel * $NR] = $column_product;
    }
    for (long $column = $width; $column < $column_panel * $NR + $NR; ++$column) $to[$column - $column_panel * $NR] = 0;
  }
}
)";

// The same where the second factor lies along the depth in memory: it is then read column by column.
const char* pack_transposed_template = R"(#pragma omp for
for (long $column_panel = 0; $column_panel < $column_panels; ++$column_panel) {
  for (long $column = $column_panel * $NR; $column < $column_panel * $NR + $NR; ++$column) {
    $type* $to = $packed_columns + $column_panel * $NR * $k + ($column - $column_panel * $NR);
    if ($column >= $n) {
      for (long $at = 0; $at < $k; ++$at) $to[$at * $NR] = 0;
      continue;
    }
    $column_counter
    $depth_header $to[$depth_at * $NR] = $column_product;
  }
}
)";

// Above a triangle's edge there is nothing to do.
const char* skip_tile_template =
    R"(const long $first_row = $row_panel * $MR, $last_row = std::min($m, $first_row + $MR) - 1;
if (std::max($first_limit, $last_limit) <= $column_panel * $NR) continue;
)";

const char* skip_block_template =
    R"(const long $first_row = $row_block * $MR, $last_row = std::min($m, $row_end * $MR) - 1;
if (std::max($first_limit, $last_limit) <= $column_block * $NR) continue;
)";

std::string product_of(const std::vector<ExprPtr>& factors) {
  ExprPtr product = factors.front();
  for (std::size_t i = 1; i < factors.size(); ++i) product = binary("*", product, factors[i]);
  return print(product);
}

bool moves_by_one(const std::vector<ExprPtr>& factors, const std::string& counter) {
  bool found = false;
  for (const ExprPtr& factor : factors)
    visit(factor, [&](const Expr& part) {
      if (part.kind != ExprKind::index) return;
      const auto stride = stride_in(part.args[1], counter);
      found |= stride && stride->as_constant() == 1;
    });
  return found;
}

std::string as_long(const ExprPtr& upper, const ExprPtr& lower) {
  const std::string start = print(lower), text = "static_cast<long>(" + print(upper) + ")";
  return start == "0" ? text : text + " - (" + start + ")";
}

class Printer {
 public:
  Printer(Program& program, const Contraction& nest, const TileShape& shape)
      : program_(program), nest_(nest), shape_(shape) {
    triangle_ = nest.rows.size() == 1 && mentions(nest.column.upper, nest.rows[0].name);
    name_everything();
    fill_values();
  }

  Statements code() {
    const std::string helper = tile_function(shape_, nest_.sum_type);
    if (std::find(program_.helpers.begin(), program_.helpers.end(), helper) == program_.helpers.end())
      program_.helpers.push_back(helper);
    program_.headers.insert({"algorithm", "new"});
    if (!nest_.in_place) program_.headers.insert("omp.h");
    values_["block_width"] =
        fill_template(nest_.in_place ? whole_width_template : block_width_template, values_);
    values_["pack_rows"] = fill_template(pack_rows_template, values_);
    const bool transposed = moves_by_one(nest_.column_factors, nest_.depth.name) &&
                            !moves_by_one(nest_.column_factors, nest_.column.name);
    values_["pack_columns"] =
        fill_template(transposed ? pack_transposed_template : pack_columns_template, values_);
    Statement block;
    block.kind = StatementKind::block;
    block.comments = nest_.rows[0].comments;
    block.comments.push_back(
        "// Both factors are packed into panels; tasks compute blocks of register tiles from them.");
    block.body = {text_lines(fill_template(nest_template, values_))};
    return {block};
  }

 private:
  void name_everything() {
    for (const char* stem : {"m", "n", "k"})
      values_[stem] = fresh_name(program_, std::string(stem) + "_total");
    for (const char* stem : {"many_rows",   "width_of_block",
                             "row_panels",  "column_panels",
                             "packed_rows", "packed_columns",
                             "row_block",   "column_block",
                             "tile",        "column_end",
                             "row_end",     "column_panel",
                             "row_panel",   "row",
                             "column",      "sums",
                             "width",       "to",
                             "at",          "rest",
                             "panel",       "first_row",
                             "last_row"})
      values_[stem] = fresh_name(program_, stem);
  }

  void fill_values() {
    values_["type"] = nest_.sum_type;
    values_["MR"] = num(shape_.rows);
    values_["NR"] = num(shape_.vectors * shape_.lanes);
    values_["MB"] = num(shape_.row_block / shape_.rows);
    values_["NB"] = num(std::max(1L, shape_.column_block / (shape_.vectors * shape_.lanes)));
    values_["function"] = tile_name(shape_, nest_.sum_type);
    values_["depth_count"] = as_long(upper_bound(nest_.depth), nest_.depth.lower);
    values_["row_count"] = row_count();
    values_["column_count"] = column_count();
    values_["row_product"] = product_of(nest_.row_factors);
    values_["column_product"] = product_of(nest_.column_factors);
    values_["row_counters"] = row_counters();
    values_["column_counter"] = counter_from(nest_.column, values_["column"]);
    values_["column_limit"] = triangle_ ? column_limit(nest_.rows[0].name) : values_["n"];
    const std::string counter = nest_.depth.name, lower = print(nest_.depth.lower);
    values_["depth_header"] = "for (" + nest_.depth.type + " " + counter + " = " + lower + "; " + counter +
                              " < " + print(upper_bound(nest_.depth)) + "; ++" + counter + ")";
    values_["depth_at"] = lower == "0" ? counter : "(" + counter + " - (" + lower + "))";
    values_["element"] = element();
    values_["skip_tile"] = triangle_ ? skip(skip_tile_template) : "";
    values_["skip_block"] = triangle_ ? skip(skip_block_template) : "";
  }

  // The number of columns of a row, given the row's counter as text.
  std::string column_limit(const std::string& row) const {
    const Substitution at = {{nest_.rows[0].name, literal(row, nest_.rows[0].type)}};
    return as_long(substitute(upper_bound(nest_.column), at), nest_.column.lower);
  }

  std::string row_count() const {
    if (nest_.rows.size() == 1) return as_long(upper_bound(nest_.rows[0]), nest_.rows[0].lower);
    std::string product;
    for (const Statement& row : nest_.rows)
      product +=
          (product.empty() ? "" : " * ") + ("std::max(0L, " + as_long(upper_bound(row), row.lower) + ")");
    return product;
  }

  std::string column_count() const {
    if (!triangle_) return as_long(upper_bound(nest_.column), nest_.column.lower);
    const Statement& row = nest_.rows[0];
    return "std::max(" + column_limit("(" + print(row.lower) + ")") + ", " +
           column_limit("(" + print(plus(upper_bound(row), -1)) + ")") + ")";
  }

  static std::string counter_from(const Statement& loop, const std::string& number) {
    const std::string lower = print(loop.lower);
    return "const " + loop.type + " " + loop.name + " = static_cast<" + loop.type + ">(" + number + ")" +
           (lower == "0" ? "" : " + " + lower) + ";\n";
  }

  // Declares the nest's own row counters from the running row number.
  std::string row_counters() const {
    if (nest_.rows.size() == 1) return counter_from(nest_.rows[0], values_.at("row"));
    const std::string rest = values_.at("rest");
    std::string out = "long " + rest + " = " + values_.at("row") + ";\n";
    for (std::size_t i = nest_.rows.size(); i-- > 0;) {
      const std::string count = "(" + as_long(upper_bound(nest_.rows[i]), nest_.rows[i].lower) + ")";
      out += counter_from(nest_.rows[i], i > 0 ? rest + " % " + count : rest);
      if (i > 0) out += rest + " /= " + count + ";\n";
    }
    return out;
  }

  std::string element() const {
    Statements body = nest_.before;
    const ExprPtr sum = literal(values_.at("sums") + "[" + values_.at("column") + " - " +
                                    values_.at("column_panel") + " * " + values_.at("NR") + "]",
                                nest_.sum_type);
    body.push_back(assign(variable(nest_.sum, nest_.sum_type), nest_.subtracts ? "-=" : "+=", sum));
    body.insert(body.end(), nest_.after.begin(), nest_.after.end());
    return print(body, 0);
  }

  std::string skip(const char* text) const {
    TemplateValues values = values_;
    const std::string lower = print(nest_.rows[0].lower), offset = lower == "0" ? "" : " + " + lower;
    values["first_limit"] = column_limit("(" + values_.at("first_row") + offset + ")");
    values["last_limit"] = column_limit("(" + values_.at("last_row") + offset + ")");
    return fill_template(text, values);
  }

  Program& program_;
  const Contraction& nest_;
  TileShape shape_;
  TemplateValues values_;
  bool triangle_ = false;
};

}  // namespace

Statements print_contraction(Program& program, const Contraction& contraction, const TileShape& shape) {
  return Printer(program, contraction, shape).code();
}

}  // namespace noctune::rules
