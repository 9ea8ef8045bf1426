#include "model/mep_globals.hpp"

#include <algorithm>

#include "model/c_type.hpp"

namespace noctune {
namespace {

bool has(const std::vector<ParamSpec>& params, const std::string& name) {
  return std::any_of(params.begin(), params.end(), [&](const ParamSpec& one) { return one.name == name; });
}

ParamSpec lowered(ParamSpec symbol) {
  if (symbol.count.empty() || is_pointer_type(symbol.type)) return symbol;
  const std::string constant = symbol.type.rfind("const ", 0) == 0 ? "" : "const ";
  symbol.type = parameter_type(constant + symbol.type + "*");
  return symbol;
}

}  // namespace

void lower_globals(MepSpec& spec) {
  for (const ParamSpec& symbol : spec.globals)
    if (!has(spec.params, symbol.name)) spec.params.push_back(lowered(symbol));
  if (!spec.globals.empty()) spec.setup = true;
}

bool is_global(const MepSpec& spec, const std::string& name) {
  return has(spec.globals, name);
}

}  // namespace noctune
