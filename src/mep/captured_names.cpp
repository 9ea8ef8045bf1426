#include "mep/captured_names.hpp"

#include <algorithm>

#include "mep/reading/read_source.hpp"
#include "model/c_type.hpp"

namespace noctune {
namespace {

std::string without_scope(const std::string& name) {
  const std::size_t at = name.rfind("::");
  return at == std::string::npos ? name : name.substr(at + 2);
}

KernelParameters parameters_of(const SourceFunction& function, const SourceFacts& facts) {
  KernelParameters out;
  out.kernel = without_scope(function.name);
  for (const SourceParam& param : function.params)
    out.parameters.push_back({param.name, parameter_type(param.type), "", ""});
  for (const SourceAlias& alias : facts.aliases) out.aliases[alias.name] = alias.type;
  return out;
}

KernelParameters::Parameter parameter_of(const ParamSpec& param) {
  if (!param.is_pointer()) return {param.name, param.type, "", ""};
  const char* role = param.role == Role::in ? "in" : param.role == Role::inout ? "inout" : "out";
  return {param.name, param.type, role, param.count};
}

// Arguments that are no parameters of the spec, but expressions, stay without names.
KernelParameters launch_of(const StepSpec& step, const MepSpec& spec) {
  KernelParameters out;
  out.kernel = step.name.substr(0, step.name.find('<'));
  for (const std::string& argument : step.args) {
    const auto found = std::find_if(spec.params.begin(), spec.params.end(),
                                    [&](const ParamSpec& one) { return one.name == argument; });
    out.parameters.push_back(found == spec.params.end() ? KernelParameters::Parameter{}
                                                        : parameter_of(*found));
  }
  return out;
}

void add_launches(const std::vector<StepSpec>& steps, const MepSpec& spec,
                  std::vector<KernelParameters>& out) {
  for (const StepSpec& step : steps) {
    if (step.kind == StepSpec::Kind::launch) out.push_back(launch_of(step, spec));
    add_launches(step.steps, spec, out);
  }
}

}  // namespace

std::vector<KernelParameters> parameters_in_source(const std::string& source) {
  const SourceFacts facts = read_source(source);
  std::vector<KernelParameters> kernels, others;
  for (const SourceFunction& one : facts.functions)
    (one.kind == SourceFunction::Kind::kernel ? kernels : others).push_back(parameters_of(one, facts));
  return kernels.empty() ? others : kernels;
}

std::vector<KernelParameters> parameters_in_spec(const MepSpec& spec) {
  std::vector<KernelParameters> out(1);
  out[0].kernel = spec.entry;
  for (const ParamSpec& param : spec.params) out[0].parameters.push_back(parameter_of(param));
  add_launches(spec.sequence, spec, out);
  return out;
}

}  // namespace noctune
