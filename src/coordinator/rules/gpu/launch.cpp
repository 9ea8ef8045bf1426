// Names of dim3 and integer locals are replaced by what they stand for, then the grid is taken apart.
#include "coordinator/rules/gpu/launch.hpp"

#include "coordinator/rules/gpu/expression_reader.hpp"
#include "coordinator/rules/polynomial.hpp"

namespace noctune::rules::gpu {
namespace {

using reading::nowhere;
using reading::Span;
using reading::Tokens;

const ExprPtr& without_casts(const ExprPtr& expr) {
  return expr->kind == ExprKind::cast ? without_casts(expr->args[0]) : expr;
}

// Names replaced until nothing changes; values name only what stands above them.
ExprPtr resolved(ExprPtr expr, const Substitution& values) {
  for (int round = 0; expr && round < 8; ++round) {
    const ExprPtr next = substitute(expr, values);
    if (next == expr) break;
    expr = next;
  }
  return expr ? folded(expr) : nullptr;
}

// dim3(x, y, z), a list of its arguments, or a number of blocks.
Shape shape_of(const Tokens& tokens, const std::vector<Span>& parts, const TypeNames& types,
               const Substitution& values) {
  Shape shape = {number(1), number(1), number(1)};
  for (std::size_t i = 0; i < parts.size() && i < 3; ++i)
    shape[i] = resolved(read_expression(tokens, parts[i], types), values);
  return shape;
}

class LaunchReader {
 public:
  LaunchReader(const Tokens& tokens, const HostBody& host, const TypeNames& types)
      : tokens_(tokens), host_(host), types_(types), values_(host.values) {}

  std::vector<Launch> read() {
    std::vector<Launch> launches;
    for (std::size_t at = host_.span.begin; at < host_.span.end; ++at) {
      if (tokens_.is(at, "dim3")) read_shape(at);
      if (!tokens_.is(at, "<<<") || at == host_.span.begin) continue;
      if (auto launch = read_launch(at)) launches.push_back(std::move(*launch));
    }
    return launches;
  }

 private:
  // dim3 name(x, y), other = dim3(x, y), third{x, y};
  void read_shape(std::size_t at) {
    const std::size_t end = tokens_.find({at + 1, host_.span.end}, {";"});
    for (const Span& part : tokens_.split({at + 1, end})) {
      if (!tokens_.is_name(part.begin)) return;
      const std::string& name = tokens_[part.begin].text;
      std::size_t open = part.begin + 1;
      if (tokens_.is(open, "=")) open += tokens_.is(open + 1, "dim3") ? 2 : 1;
      if (!tokens_.is_one_of(open, {"(", "{"})) continue;
      const Shape shape = shape_of(tokens_, tokens_.split({open + 1, tokens_.close(open)}), types_, values_);
      shapes_[name] = shape;
      const char* axes[] = {".x", ".y", ".z"};
      for (std::size_t i = 0; i < 3; ++i)
        if (shape[i]) values_[name + axes[i]] = shape[i];
    }
  }

  Shape shape_at(const Span& part) const {
    if (part.size() == 1 && shapes_.count(tokens_[part.begin].text))
      return shapes_.at(tokens_[part.begin].text);
    if (tokens_.is(part.begin, "dim3") && tokens_.is_one_of(part.begin + 1, {"(", "{"}))
      return shape_of(tokens_, tokens_.split({part.begin + 2, tokens_.close(part.begin + 1)}), types_,
                      values_);
    return shape_of(tokens_, {part}, types_, values_);
  }

  std::optional<Launch> read_launch(std::size_t open) {
    std::size_t close = open + 1;
    while (close < host_.span.end && !tokens_.is(close, ">>>")) close = tokens_.past(close);
    if (close >= host_.span.end || !tokens_.is(close + 1, "(")) return {};
    std::size_t name = open - 1;
    if (const std::size_t angle = tokens_.angle_open(name); angle != nowhere && angle > 0) name = angle - 1;
    if (!tokens_.is_name(name)) return {};
    Launch launch;
    launch.kernel = tokens_[name].text;
    launch.host = host_.name;
    launch.name_begin = tokens_[name].begin;
    launch.begin = tokens_[open].end;
    launch.end = tokens_[close].begin;
    const std::vector<Span> config = tokens_.split({open + 1, close});
    for (const Span& part : config) launch.config.push_back(tokens_.text(part));
    if (config.size() < 2) return {};
    launch.grid = shape_at(config[0]);
    launch.block = shape_at(config[1]);
    const Span args = {close + 2, tokens_.close(close + 1)};
    if (!args.empty())
      for (const Span& arg : tokens_.split(args)) {
        launch.args.push_back(resolved(read_expression(tokens_, arg, types_), host_.values));
        launch.arg_texts.push_back(tokens_.text(arg));
      }
    find_extents(launch);
    return launch;
  }

  static void find_extents(Launch& launch) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto threads = launch.block[axis] ? constant_of(launch.block[axis]) : std::nullopt;
      if (!threads || *threads < 1 || *threads > 1024) continue;
      launch.threads[axis] = *threads;
      if (launch.grid[axis]) launch.extent[axis] = extent_of(without_casts(launch.grid[axis]), *threads);
    }
  }

  // (n + 255) / 256, (n - 1) / 256 + 1, or a number.
  static ExprPtr extent_of(const ExprPtr& grid, long long threads) {
    if (const auto blocks = constant_of(grid)) return number(*blocks * threads);
    if (threads == 1) return grid;
    if (grid->kind != ExprKind::binary) return {};
    long long more = 0;
    ExprPtr quotient = grid;
    if (grid->text == "+" && constant_of(grid->args[1]) == 1) {
      quotient = without_casts(grid->args[0]);
      more = threads;
    }
    if (quotient->kind != ExprKind::binary || quotient->text != "/") return {};
    if (constant_of(quotient->args[1]) != threads) return {};
    const ExprPtr sum = without_casts(quotient->args[0]);
    // floor((n + c) / b) = ceil((n + c - (b - 1)) / b)
    return polynomial_of(sum) ? without_constant(plus(sum, more - (threads - 1))) : nullptr;
  }

  // "16 + n - 16" is "n": constants that cancel go.
  static ExprPtr without_constant(const ExprPtr& expr) {
    const auto value = polynomial_of(expr);
    if (!value || value->terms().count({}) || expr->kind != ExprKind::binary) return expr;
    if (expr->text == "-" && constant_of(expr->args[1])) {
      const ExprPtr& inner = expr->args[0];
      if (inner->kind == ExprKind::binary && inner->text == "+" &&
          constant_of(inner->args[0]) == constant_of(expr->args[1]))
        return inner->args[1];
    }
    return expr;
  }

  const Tokens& tokens_;
  const HostBody& host_;
  const TypeNames& types_;
  Substitution values_;
  std::map<std::string, Shape> shapes_;
};

std::string shape_text(const ExprPtr& x, const ExprPtr& y, const ExprPtr& z) {
  const bool flat = constant_of(y) == 1 && constant_of(z) == 1;
  if (flat) return print(x);
  return "dim3(" + print(x) + ", " + print(y) + (constant_of(z) == 1 ? "" : ", " + print(z)) + ")";
}

}  // namespace

std::vector<Launch> read_launches(const Tokens& tokens, const HostBody& host, const TypeNames& types) {
  return LaunchReader(tokens, host, types).read();
}

ExprPtr blocks_for(const ExprPtr& extent, long long width) {
  if (width == 1) return extent;
  if (const auto value = constant_of(extent)) return number((*value + width - 1) / width);
  return binary("/", plus(extent, width - 1), number(width), extent->type);
}

std::string launch_text(const Launch& launch, const Shape& grid, const Threads& threads) {
  std::string text = shape_text(grid[0], grid[1], grid[2]) + ", " +
                     shape_text(number(threads[0]), number(threads[1]), number(threads[2]));
  for (std::size_t i = 2; i < launch.config.size(); ++i) text += ", " + launch.config[i];
  return text;
}

}  // namespace noctune::rules::gpu
