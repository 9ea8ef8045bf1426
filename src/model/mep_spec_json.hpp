// JSON codec of a MEP spec (docs/mep.md). Reading is strict: a UserError names file, line, key and reason.
// A spec without cases gets its default ones here: "time" (all scaling sizes chosen by sizing) and "odd".
#pragma once

#include "base/json.hpp"
#include "model/mep_spec.hpp"

namespace noctune {

MepSpec read_mep_spec(const JsonDocument& document);
OrderedJson to_json(const MepSpec& spec);

const char* to_text(Role role);            // "in", "out", "inout", "scratch"
const char* to_text(CaseUse use);          // "time", "check", "report"
const char* to_text(InitSpec::Kind kind);  // "zeros", "uniform", ..., "joint"

}  // namespace noctune
