// sum over k of A(row, k) * B(k, col) in any storage order: a block of threads copies slices of both factors
// to shared memory, and every thread keeps several rows and columns in registers. Terms are added in their
// order.
#include <algorithm>

#include "coordinator/rules/gpu/core_loop.hpp"
#include "coordinator/rules/gpu/gpu_rules.hpp"
#include "coordinator/rules/gpu/targets.hpp"
#include "coordinator/rules/polynomial.hpp"
#include "coordinator/rules/template_text.hpp"

namespace noctune::rules::gpu {
namespace {

struct Product {
  CoreLoop parts;
  std::string sum, type;
  ExprPtr start;
  ExprPtr left, right;  // loads that move with the row and with the column
  ExprPtr term;
};

struct TileShape {
  long long x = 16, y = 16, rows = 4, cols = 4, depth = 16;
  long long height() const { return y * rows; }
  long long width() const { return x * cols; }
  long long threads() const { return x * y; }
};

// Factors of a product, from left to right.
void factors_of(const ExprPtr& expr, std::vector<ExprPtr>& list) {
  if (expr->kind == ExprKind::binary && expr->text == "*") {
    factors_of(expr->args[0], list);
    factors_of(expr->args[1], list);
  } else {
    list.push_back(expr);
  }
}

// The one statement sum += e, with names for loads put back.
std::optional<Statement> single_sum(const Statements& body) {
  Substitution names;
  for (const Statement& statement : body) {
    const Statement one = substitute(Statements{statement}, names)[0];
    if (one.kind == StatementKind::declare && one.value)
      names[one.name] = one.value;
    else if (one.kind == StatementKind::assign && one.op == "+=" && one.target->kind == ExprKind::variable &&
             &statement == &body.back())
      return one;
    else
      return {};
  }
  return {};
}

bool find_factors(const KernelForm& form, Product& product) {
  const std::string &row = form.on_axis(1)->name, &col = form.on_axis(0)->name, &k = product.parts.loop.name;
  const std::set<std::string> names = thread_names(form);
  std::vector<ExprPtr> factors;
  factors_of(product.term, factors);
  for (const ExprPtr& factor : factors) {
    if (factor->kind != ExprKind::index) {
      bool plain = !reads_memory(factor);
      for (const std::string& name : names) plain &= !mentions(factor, name);
      if (!plain) return false;
      continue;
    }
    const ExprPtr& subscript = factor->args[1];
    if (factor->args[0]->kind != ExprKind::variable || !polynomial_of(subscript)) return false;
    for (const std::string& name : names)
      if (name != row && name != col && name != k && mentions(subscript, name)) return false;
    const bool by_row = mentions(subscript, row), by_col = mentions(subscript, col);
    if (by_row == by_col || !mentions(subscript, k)) return false;
    ExprPtr& side = by_row ? product.left : product.right;
    if (side) return false;
    side = factor;
  }
  return product.left && product.right;
}

std::optional<Product> product_in(const KernelForm& form) {
  if (form.indices.size() != 2 || !form.on_axis(0) || !form.on_axis(1) || !form.has_plain_guard()) return {};
  auto parts = core_loop_of(form);
  if (!parts || !form.kernel->distinct || !form.head.empty()) return {};
  Product product;
  product.parts = *parts;
  const Statement& loop = product.parts.loop;
  const auto sum = single_sum(loop.body);
  if (!sum || constant_of(loop.lower) != 0 || !is_uniform(upper_bound(loop), form, loop.name)) return {};
  product.sum = sum->target->text;
  product.term = sum->value;
  for (const Statement& statement : product.parts.before)
    if (statement.name == product.sum) {
      product.type = plain_type(sum->target->type);
      product.start = statement.value;
    }
  if (!product.start || !is_floating(product.type) || mentions(product.term, product.sum)) return {};
  if (!find_factors(form, product)) return {};
  const std::set<std::string> written = written_arrays(form.kernel->body);
  for (const ExprPtr& load : {product.left, product.right})
    if (written.count(load->args[0]->text) || !is_floating(load->type)) return {};
  return product;
}

// Copies of one side: consecutive threads read consecutive elements.
std::string copy_text(const Product& product, const TemplateValues& names, bool left,
                      const ThreadIndex& index, const ExprPtr& limit, long long span,
                      const TileShape& shape) {
  const ExprPtr& load = left ? product.left : product.right;
  const bool along_index = stride_of(load->args[1], index.name) == 1;
  const std::string at = names.at("at"), minor = std::to_string(along_index ? span : shape.depth);
  TemplateValues values = names;
  values["tile"] = names.at(left ? "left_tile" : "right_tile");
  values["base"] = names.at(left ? "row0" : "col0");
  values["elements"] = std::to_string(span * shape.depth);
  values["threads"] = std::to_string(shape.threads());
  values["line"] = at + (along_index ? " % " : " / ") + minor;
  values["slice"] = at + (along_index ? " / " : " % ") + minor;
  values["type"] = plain_type(load->type);
  values["itype"] = plain_type(index.type);
  values["index"] = index.name;
  values["limit"] = print(limit);
  values["load"] = print(load);
  return fill_template(R"(for (int $at = $thread; $at < $elements; $at += $threads) {
  const int $m = $line, $d = $slice;
  const $itype $index = $base + $m;
  const $ktype $k = $k0 + $d;
  $tile[$d][$m] = $index < $limit && $k < $upper ? $load : $type(0);
}
)",
                       values);
}

TemplateValues names_for(const Work& work, const KernelForm& form, const Product& product) {
  TemplateValues values;
  for (const char* stem : {"left_tile", "right_tile", "row0", "col0", "thread", "at", "m", "d", "k0", "left",
                           "right", "sums", "r", "c"})
    values[stem] = fresh_name(work.program, stem);
  values["k"] = product.parts.loop.name;
  values["ktype"] = plain_type(product.parts.loop.type);
  values["upper"] = print(upper_bound(product.parts.loop));
  values["row"] = form.on_axis(1)->name;
  values["col"] = form.on_axis(0)->name;
  values["rtype"] = plain_type(form.on_axis(1)->type);
  values["ctype"] = plain_type(form.on_axis(0)->type);
  values["type"] = product.type;
  values["left_type"] = plain_type(product.left->type);
  values["right_type"] = plain_type(product.right->type);
  return values;
}

// What happens once per element, with `last` instead of the loop.
std::string per_element(const KernelForm& form, const TemplateValues& names, const Statements& work) {
  TemplateValues values = names;
  values["guard"] = guard_text(form);
  values["work"] = print(work, 0);
  return fill_template(R"(#pragma unroll
for (int $r = 0; $r < $rows; ++$r) {
#pragma unroll
  for (int $c = 0; $c < $cols; ++$c) {
    const $rtype $row = $row0 + threadIdx.y + $r * $y;
    const $ctype $col = $col0 + threadIdx.x + $c * $x;
    if ($guard) {
      $work
    }
  }
}
)",
                       values);
}

std::string start_text(const KernelForm& form, const Product& product, const TemplateValues& names) {
  if (is_zero(product.start)) return {};
  const ExprPtr element = variable(names.at("element"), product.type);
  Statements work;
  for (const Statement& statement : product.parts.before)
    work.push_back(statement.name == product.sum ? assign(element, "=", statement.value) : statement);
  return per_element(form, names, work);
}

std::string end_text(const KernelForm& form, const Product& product, const TemplateValues& names) {
  Statements work;
  for (const Statement& statement : product.parts.before)
    if (statement.name != product.sum) work.push_back(statement);
  const Substitution sum = {{product.sum, variable(names.at("element"), product.type)}};
  const Statements after = substitute(product.parts.after, sum);
  work.insert(work.end(), after.begin(), after.end());
  return per_element(form, names, work);
}

constexpr const char* tiled_kernel = R"(  __shared__ $left_type $left_tile[$depth][$height + 1];
  __shared__ $right_type $right_tile[$depth][$width + 1];
  const int $thread = threadIdx.y * $x + threadIdx.x;
  const $rtype $row0 = blockIdx.y * $height;
  const $ctype $col0 = blockIdx.x * $width;
  $type $sums[$rows][$cols] = {};
  $start
  for ($ktype $k0 = 0; $k0 < $upper; $k0 += $depth) {
    $copy_left
    $copy_right
    __syncthreads();
#pragma unroll
    for (int $d = 0; $d < $depth; ++$d) {
      $left_type $left[$rows];
      $right_type $right[$cols];
#pragma unroll
      for (int $r = 0; $r < $rows; ++$r) $left[$r] = $left_tile[$d][threadIdx.y + $r * $y];
#pragma unroll
      for (int $c = 0; $c < $cols; ++$c) $right[$c] = $right_tile[$d][threadIdx.x + $c * $x];
#pragma unroll
      for (int $r = 0; $r < $rows; ++$r) {
#pragma unroll
        for (int $c = 0; $c < $cols; ++$c) $element += $term;
      }
    }
    __syncthreads();
  }
  $end
)";

std::string kernel_text(const Work& work, const KernelForm& form, const Product& product,
                        const TileShape& shape) {
  TemplateValues values = names_for(work, form, product);
  for (const auto& [name, value] : std::map<std::string, long long>{{"x", shape.x},
                                                                    {"y", shape.y},
                                                                    {"rows", shape.rows},
                                                                    {"cols", shape.cols},
                                                                    {"depth", shape.depth},
                                                                    {"height", shape.height()},
                                                                    {"width", shape.width()}})
    values[name] = std::to_string(value);
  values["element"] = values["sums"] + "[" + values["r"] + "][" + values["c"] + "]";
  const ThreadIndex &row = *form.on_axis(1), &col = *form.on_axis(0);
  values["copy_left"] =
      copy_text(product, values, true, row, form.bound_of(row.name)->limit, shape.height(), shape);
  values["copy_right"] =
      copy_text(product, values, false, col, form.bound_of(col.name)->limit, shape.width(), shape);
  const auto element = [&](const char* name, const char* at) {
    return variable(values.at(name) + "[" + values.at(at) + "]", "float");
  };
  values["term"] = print(replaced(replaced(product.term, product.left, element("left", "r")), product.right,
                                  element("right", "c")));
  values["start"] = start_text(form, product, values);
  values["end"] = end_text(form, product, values);
  return fill_template(tiled_kernel, values);
}

bool fits(const TileShape& shape, const Product& product) {
  const long long bytes = shape.depth * ((shape.height() + 1) * bytes_of(product.left->type) +
                                         (shape.width() + 1) * bytes_of(product.right->type));
  const bool sane = shape.x > 0 && shape.y > 0 && shape.rows > 0 && shape.cols > 0 && shape.depth > 0 &&
                    shape.depth <= 64 && shape.rows <= 16 && shape.cols <= 16;
  return sane && shape.threads() <= 1024 && shape.threads() >= 32 && bytes <= 48 << 10;
}

}  // namespace

bool register_tiles(Work& work, const Step& step) {
  if (!work.gpu || !settle(work)) return false;
  const TileShape shape = {step.integer("x", 16), step.integer("y", 16), step.integer("rows", 4),
                           step.integer("cols", 4), step.integer("depth", 16)};
  std::vector<Edit> edits;
  for (const Target& target : targets(work)) {
    const KernelForm& form = target.form;
    const SourceFunction* facts = work.gpu->function(form.kernel->name);
    const auto product = product_in(form);
    if (!product || !wants(step, form.kernel->name) || !facts || !facts->launch_bounds.empty()) continue;
    if (!fits(shape, *product)) continue;
    edits.push_back(body_edit(*form.kernel, kernel_text(work, form, *product, shape)));
    for (const Launch* launch : target.launches)
      edits.push_back(launch_edit(*launch,
                                  {blocks_for(launch->extent[0], shape.width()),
                                   blocks_for(launch->extent[1], shape.height()), number(1)},
                                  {shape.x, shape.y, 1}));
  }
  return !edits.empty() && change(work, std::move(edits));
}

}  // namespace noctune::rules::gpu
