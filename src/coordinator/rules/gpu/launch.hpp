// Launches kernel<<<grid, block, shared, stream>>>(...) of a source, with what their shapes stand for.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "coordinator/rules/expr.hpp"
#include "coordinator/rules/gpu/type_names.hpp"
#include "mep/reading/tokens.hpp"

namespace noctune::rules::gpu {

using Shape = std::array<ExprPtr, 3>;      // x, y, z; 1 where nothing is said
using Threads = std::array<long long, 3>;  // the same as numbers

struct Launch {
  std::string kernel;
  std::string host;                    // the function that it stands in
  std::size_t begin = 0, end = 0;      // bytes between <<< and >>>
  std::size_t name_begin = 0;          // of the kernel's name
  std::vector<std::string> config;     // its parts as written
  std::vector<ExprPtr> args;           // null where not understood
  std::vector<std::string> arg_texts;  // as written
  Shape grid, block;                   // over the host's parameters; null where not understood
  Threads threads = {0, 0, 0};         // of a block; 0 = not constant
  // Elements that the axis covers: grid = ceil(extent / threads); null where it has another form.
  Shape extent;

  long long block_size() const { return threads[0] * threads[1] * threads[2]; }
  bool has_dynamic_memory() const { return config.size() > 2 && config[2] != "0"; }
};

struct HostBody {
  std::string name;
  reading::Span span;
  // Integers that get one value.
  Substitution values;
};

std::vector<Launch> read_launches(const reading::Tokens& tokens, const HostBody& host,
                                  const TypeNames& types);

// ceil(extent / width) as text of C++.
ExprPtr blocks_for(const ExprPtr& extent, long long width);

// What goes between <<< and >>>; shared memory and stream stay.
std::string launch_text(const Launch& launch, const Shape& grid, const Threads& threads);

}  // namespace noctune::rules::gpu
