// The templates of share/prompts as they were at build time; made by embed_prompts.cmake.
#pragma once

#include <map>
#include <string>

namespace noctune {

// "write" -> the text of write.md.
const std::map<std::string, std::string>& embedded_prompts();

}  // namespace noctune
