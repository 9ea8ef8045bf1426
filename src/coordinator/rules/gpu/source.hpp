// A source for GPUs as the rules see it: text that is read anew after every step, its kernels as statements,
// its launches with their shapes.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "coordinator/rules/gpu/launch.hpp"
#include "coordinator/rules/rules.hpp"

namespace noctune::rules::gpu {

struct Source {
  RuleContext context;                         // its `source` is the text that was read
  TypeNames types;                             // of the file's outermost level
  std::map<std::string, long long> constants;  // integer macros and constants
  std::vector<Launch> launches;
  std::vector<SourceFunction> functions;
  std::vector<SourceMacro> macros;

  bool is_hip() const { return context.backend == "hip"; }
  const SourceFunction* function(const std::string& name) const;
  std::vector<const Launch*> launches_of(const std::string& kernel) const;
  // The spec's parameter that the kernel's parameter stands for, or null.
  const ParamSpec* spec_of(const std::string& kernel, const std::string& param) const;
  // The kernel's expression over the host's names, for this launch; null where an argument is not understood.
  ExprPtr on_host(const Launch& launch, const ExprPtr& expr) const;
};

// Fails when the source defines no such entry or launches nothing.
Result<Work> read_work(const RuleContext& context);

// A text in place of a part of the source.
struct Edit {
  std::size_t begin = 0, end = 0;
  std::string text;
};

// Makes the edits and reads the result; false, and nothing is changed, where they overlap or cannot be read.
bool change(Work& work, std::vector<Edit> edits);
// What rules on statements changed becomes text.
bool settle(Work& work);

// Edits: the body of a function; text in front of the first kernel; a launch.
Edit body_edit(const Function& function, const Statements& body);
Edit body_edit(const Function& function, const std::string& text);  // indented lines
Edit helper_edit(const Work& work, const std::string& text);
Edit launch_edit(const Launch& launch, const Shape& grid, const Threads& threads);

// Types that stand in shared memory and registers: numbers of known width.
long long bytes_of(const std::string& type);

}  // namespace noctune::rules::gpu
