// Answers as the providers send them, each complete with the answer "A\n```cpp\n..." of the same text.
#pragma once

#include <string>
#include <vector>

namespace noctune {

struct GoldenStream {
  std::string provider, events, text;
  std::size_t terminal;  // bytes after which the answer is complete
};

inline std::size_t end_of(const std::string& events, const std::string& marker) {
  return events.find("\n\n", events.find(marker)) + 2;
}

inline GoldenStream golden_chat() {
  GoldenStream out{"openai", "", "A\xE2\x82\xAC", 0};
  out.events =
      "data: {\"choices\":[],\"prompt_filter_results\":[]}\n\n"
      "data: {\"id\":\"c1\",\"model\":\"m-1\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\","
      "\"content\":\"\"}}]}\n\n: keep-alive\n\n"
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"reasoning_content\":\"hm\",\"content\":null}}]}\n\n"
      "data:{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"A\"},\"finish_reason\":null}]}\n\n"
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\xE2\x82\xAC\"},\"finish_reason\":null}],"
      "\"obfuscation\":\"xx\"}\n\n"
      "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
      "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":9,\"total_tokens\":12,"
      "\"prompt_tokens_details\":{\"cached_tokens\":2},\"completion_tokens_details\":{\"reasoning_tokens\":8}"
      "}}\n\n"
      "data: [DONE]\n\n";
  out.terminal = end_of(out.events, "\"stop\"");
  return out;
}

inline GoldenStream golden_responses() {
  GoldenStream out{"openai-responses", "", "AB", 0};
  out.events =
      "event: response.created\ndata: "
      "{\"type\":\"response.created\",\"response\":{\"id\":\"r1\",\"model\":\"m-1\","
      "\"status\":\"in_progress\"}}\n\n"
      "event: response.reasoning_summary_text.delta\n"
      "data: {\"type\":\"response.reasoning_summary_text.delta\",\"delta\":\"hm\"}\n\n"
      "event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"delta\":\"A\"}\n\n"
      "event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"delta\":\"B\"}\n\n"
      "event: response.completed\ndata: "
      "{\"type\":\"response.completed\",\"response\":{\"id\":\"r1\",\"model\":\"m-1\","
      "\"status\":\"completed\",\"output\":[{\"type\":\"reasoning\",\"summary\":[]},{\"type\":\"message\","
      "\"content\":["
      "{\"type\":\"output_text\",\"text\":\"A\"},{\"type\":\"output_text\",\"text\":\"B\"}]}],"
      "\"usage\":{\"input_tokens\":3,\"output_tokens\":9,\"total_tokens\":12,\"input_tokens_details\":"
      "{\"cached_tokens\":2},\"output_tokens_details\":{\"reasoning_tokens\":8}}}}\n\n";
  out.terminal = out.events.size();
  return out;
}

inline GoldenStream golden_anthropic() {
  GoldenStream out{"anthropic", "", "AB", 0};
  out.events =
      "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m1\",\"model\":\"m-1\","
      "\"usage\":{\"input_tokens\":1,\"cache_read_input_tokens\":2,\"output_tokens\":1}}}\n\n"
      "event: ping\ndata: {\"type\":\"ping\"}\n\n"
      "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":"
      "{\"type\":\"thinking\",\"thinking\":\"\"}}\n\n"
      "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":"
      "{\"type\":\"thinking_delta\",\"thinking\":\"hm\"}}\n\n"
      "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":1,\"content_block\":"
      "{\"type\":\"text\",\"text\":\"\"}}\n\n"
      "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":"
      "{\"type\":\"text_delta\",\"text\":\"A\"}}\n\n"
      "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":"
      "{\"type\":\"text_delta\",\"text\":\"B\"}}\n\n"
      "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},"
      "\"usage\":{\"output_tokens\":9}}\n\n"
      "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";
  out.terminal = out.events.size();
  return out;
}

inline std::vector<GoldenStream> golden_streams() {
  return {golden_chat(), golden_responses(), golden_anthropic()};
}

}  // namespace noctune
