// How codecs read structs from JSON that may lack members.
#pragma once

#include <string>

#include "base/error.hpp"
#include "base/json.hpp"

namespace noctune {

// Leaves `into` as it is where the member is absent or null; throws where it has another type.
template <class T>
void take(const Json& json, const char* key, T& into) {
  if (const auto found = json.find(key); found != json.end() && !found->is_null()) into = found->get<T>();
}

// What nlohmann/json throws for a wrong type, as an error that names what was read.
template <class T, class Read>
Result<T> reading(const Json& json, const char* what, Read read) {
  if (!json.is_object()) return fail(std::string("this is no ") + what, "a JSON object was expected");
  T out;
  try {
    read(out);
  } catch (const std::exception& wrong) {
    return fail(std::string("this is no ") + what, wrong.what());
  }
  return out;
}

}  // namespace noctune
