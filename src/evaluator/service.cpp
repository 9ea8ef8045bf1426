#include "evaluator/service.hpp"

#include "model/evaluation_json.hpp"
#include "model/task_json.hpp"

namespace noctune {

std::string message_bytes(const Json& message) {
  const std::vector<std::uint8_t> bytes = Json::to_cbor(message);
  return {bytes.begin(), bytes.end()};
}
Json message_from(const std::string& bytes) {
  return Json::from_cbor(bytes, /*strict=*/true, /*allow_exceptions=*/false);
}

Json prepare_request(const PrepareTask& task) {
  return {{"kind", "prepare"}, {"task", to_json(task)}};
}
Json evaluate_request(const EvaluationTask& task) {
  return {{"kind", "evaluate"}, {"task", to_json(task)}};
}

std::string task_kind(const Json& request) {
  const std::string kind = request.value("kind", "");
  return kind == "evaluate" ? request.at("task").value("purpose", kind) : kind;
}

Task<Json> serve(Evaluator& evaluator, Json request) {
  Json reply = Json::object();
  try {
    const std::string kind = request.at("kind").get<std::string>();
    if (kind == "prepare") {
      PrepareTask task = prepare_task_from(request.at("task"));
      const Baselined done = co_await evaluator.prepare(std::move(task));
      reply["prepared"] = to_json(done);
    } else if (kind == "evaluate") {
      EvaluationTask task = evaluation_task_from(request.at("task"));
      const Evaluation done = co_await evaluator.evaluate(std::move(task));
      reply["evaluation"] = to_json(done);
    } else {
      reply["error"] = "unknown request: " + kind;
    }
  } catch (const std::exception& failure) {
    reply["error"] = failure.what();
  }
  co_return reply;
}

}  // namespace noctune
