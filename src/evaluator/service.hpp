// The evaluator's side of the conversation with the coordinator: a request in, a reply out, both JSON.
#pragma once

#include "base/json.hpp"
#include "evaluator/evaluator.hpp"

namespace noctune {

// Message types between ranks.
enum class MessageType { hello = 1, task = 2, result = 3, stop = 4, bye = 5, alive = 6 };

// How messages travel: as CBOR. What is none reads as discarded.
std::string message_bytes(const Json& message);
Json message_from(const std::string& bytes);

Json prepare_request(const PrepareTask& task);
Json evaluate_request(const EvaluationTask& task);

// What tasks of about the same length have in common: "prepare", or the purpose of an evaluation.
std::string task_kind(const Json& request);

// Does what the request asks. Failures of ours become replies with an "error", never exceptions.
Task<Json> serve(Evaluator& evaluator, Json request);

}  // namespace noctune
