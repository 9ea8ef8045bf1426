// Bodies of kernels from tokens to statements. What is not understood becomes opaque text.
#pragma once

#include "coordinator/rules/gpu/type_names.hpp"
#include "coordinator/rules/statement.hpp"
#include "mep/reading/tokens.hpp"

namespace noctune::rules::gpu {

struct BodyText {
  const std::string& source;  // with comments
  const reading::Tokens& tokens;
};

// `types` gains the names that the body declares; `id_uses` counts loops by counter.
Statements read_statements(const BodyText& text, reading::Span span, TypeNames& types,
                           std::map<std::string, int>& id_uses);

}  // namespace noctune::rules::gpu
