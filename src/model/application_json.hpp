// Codecs of the applications of a campaign and of hotspots' places in them.
#pragma once

#include <filesystem>

#include "base/json.hpp"
#include "model/application.hpp"

namespace noctune {

// Throw UserError naming key, place and reason. `folder` is the config's: directories are taken from there.
ApplicationConfig read_application(StrictReader reader, const std::filesystem::path& folder);
IntegrateConfig read_integrate(StrictReader reader);

OrderedJson to_json(const ApplicationConfig& application);
OrderedJson to_json(const IntegrateConfig& place);

}  // namespace noctune
