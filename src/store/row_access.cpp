#include "store/row_access.hpp"

#include "model/evaluation_json.hpp"

namespace noctune {

long long integer_in(const Json& row, const char* key, long long fallback) {
  const auto found = row.find(key);
  return found != row.end() && found->is_number_integer() ? found->get<long long>() : fallback;
}

double number_in(const Json& row, const char* key, double fallback) {
  const auto found = row.find(key);
  return found != row.end() && found->is_number() ? found->get<double>() : fallback;
}

std::string text_in(const Json& row, const char* key) {
  const auto found = row.find(key);
  return found == row.end() ? std::string() : text_from_json(*found).value_or("");
}

const Json& object_in(const Json& row, const char* key) {
  static const Json empty = Json::object();
  const auto found = row.find(key);
  return found != row.end() && found->is_object() ? *found : empty;
}

}  // namespace noctune
