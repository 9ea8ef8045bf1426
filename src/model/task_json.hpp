// Codec of the messages between coordinator and evaluators.
#pragma once

#include "base/json.hpp"
#include "model/task.hpp"

namespace noctune {

Json to_json(const DeviceFacts& value);
Json to_json(const PrepareTask& value);
Json to_json(const MepReport& value);
Json to_json(const EvaluationTask& value);
Json to_json(const Baselined& value);

// These throw Json::exception on malformed input; it comes only from our own ranks.
DeviceFacts device_facts_from(const Json& json);
PrepareTask prepare_task_from(const Json& json);
MepReport mep_report_from(const Json& json);
EvaluationTask evaluation_task_from(const Json& json);
Baselined baselined_from(const Json& json);

}  // namespace noctune
