#include "mep/completion/launch_shape.hpp"

#include "mep/completion/extents.hpp"
#include "mep/completion/index_bounds.hpp"
#include "mep/completion/spec_text.hpp"
#include "mep/completion/text_words.hpp"

namespace noctune {
namespace {

class Shaper {
 public:
  explicit Shaper(CompletionState& state) : state_(state) {}

  Result<void> run() {
    state_.spec().sequence = state_.schedule.steps;
    if (state_.input.backend == "openmp") return {};
    return shape(state_.spec().sequence);
  }

 private:
  Result<void> shape(std::vector<StepSpec>& steps) {
    for (StepSpec& step : steps) {
      if (const Result<void> good = shape(step.steps); !good) return good;
      if (step.kind != StepSpec::Kind::launch) continue;
      const KernelUse& use = state_.schedule.uses[state_.schedule.use_of_launch[next_++]];
      if (const Result<void> good = shape(step, use); !good) return good;
    }
    return {};
  }

  Result<void> shape(StepSpec& step, const KernelUse& use) {
    IndexBounds bounds(state_.facts, state_.input.source, use, state_.input.defines);
    const std::vector<std::string> usual = usual_block(use);
    for (std::size_t axis = 0; axis < usual.size(); ++axis) {
      step.block.push_back(axis < use.block.size() ? spec_text(use.block[axis]).value_or(usual[axis])
                                                   : usual[axis]);
      const std::optional<Polynomial> threads = bounds.guarded_threads(static_cast<char>('x' + axis));
      if (threads) {
        step.grid.push_back("ceil((" + with_settled(*threads, state_.settled).text() + ")/" +
                            step.block.back() + ")");
        continue;
      }
      const std::optional<std::string> grid =
          axis < use.grid.size() ? spec_text(use.grid[axis]) : std::nullopt;
      if (!grid)
        return fail(state_.input.file,
                    "nothing says how many threads " + use.function->name + " is launched with",
                    "show its launch as \"call_site\": kernel<<<grid, block>>>(...)");
      step.grid.push_back(*grid);
    }
    return {};
  }

  // As many axes as the kernel asks for.
  std::vector<std::string> usual_block(const KernelUse& use) const {
    const std::size_t length = use.function->body.end - use.function->body.begin;
    const std::string body = state_.input.source.substr(use.function->body.begin, length);
    const auto uses = [&](const char* axis) {
      return body.find(std::string("Idx.") + axis) != std::string::npos ||
             body.find(std::string("Idx_") + axis) != std::string::npos;
    };
    if (uses("z")) return {"32", "4", "2"};
    if (uses("y")) return {"32", "8"};
    return {"256"};
  }

  CompletionState& state_;
  std::size_t next_ = 0;
};

}  // namespace

Result<void> plan_launch_shapes(CompletionState& state) {
  return Shaper(state).run();
}

}  // namespace noctune
