#include "plugin.hpp"

#include <dlfcn.h>

#include "clock.hpp"

namespace noctune {
namespace {

Symbol required(void* library, const std::string& name, Report& report) {
  void* found = dlsym(library, name.c_str());
  if (!found) report.refuse(Fault::plugin, "the plugin does not define extern \"C\" " + name);
  return reinterpret_cast<Symbol>(found);
}

}  // namespace

Plugin load_plugin(const std::string& path, Loads what, const Team& team, Report& report) {
  Plugin plugin;
  const timespec start = now();
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  plugin.load_seconds = seconds_since(start);
  if (!library) {
    const char* reason = dlerror();
    report.refuse(Fault::plugin,
                  std::string("the plugin cannot be loaded: ") + (reason ? reason : "no reason given"));
  }
  plugin.arithmetic_changed = !arithmetic_is_standard();
  fesetenv(&team.arithmetic());
  const std::string name = entry_name;
  plugin.entry = required(library, what == Loads::check ? name + "_check" : name, report);
  if (what == Loads::check) return plugin;
  if (entry_has_setup) plugin.setup = required(library, name + "_setup", report);
  if (entry_takes_scratch) plugin.scratch_bytes = required(library, name + "_scratch_bytes", report);
  return plugin;
}

}  // namespace noctune
