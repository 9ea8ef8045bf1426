// Data whose parts the spec declares: made by the user's inputs.cpp, or read from files.
#include <filesystem>
#include <system_error>

#include "mep/data/data_shape.hpp"

namespace noctune {
namespace {

struct PartForm {
  ElementForm form;
  long long bytes_each = 1;
};

PartForm form_of(const DataPart& part, const MepSpec& spec) {
  PartForm out;
  out.form = element_form_of(part.type + "*", spec.defines).value_or(ElementForm{});
  out.bytes_each = out.form.scalars * static_cast<long long>(size_of(out.form.element));
  return out;
}

long long count_of(DataFields& fields, const DataPart& part, const Symbols& symbols) {
  const Result<long long> count = evaluate_integer(part.count, symbols);
  if (!count) {
    fields.refuse("parts." + part.name + ".count: " + count.error().problem + ": " + count.error().reason,
                  count.error().hint);
    return 0;
  }
  if (*count < 0 || *count > (1LL << 38))
    fields.refuse("parts." + part.name + ".count is " + std::to_string(*count), "counts lie in 0 to 2^38");
  return *count;
}

void add_part(const DataPart& part, const PartForm& form, long long count, const std::string& file,
              DataShape& out) {
  out.plan.parts.push_back({part.name, static_cast<std::uint64_t>(count * form.bytes_each), file});
  PartShape shape;
  shape.count = count * form.form.scalars;
  shape.element = form.form.element;
  out.parts[part.name] = shape;
}

// "x.{launch}.bin" with the value of the size in the braces.
std::string filled_in(DataFields& fields, const DataPart& part, const Symbols& symbols) {
  std::string out = part.file;
  for (std::size_t open = out.find('{'); open != std::string::npos; open = out.find('{', open)) {
    const std::size_t close = out.find('}', open);
    const auto size = symbols.find(out.substr(open + 1, close == std::string::npos ? 0 : close - open - 1));
    if (close == std::string::npos || size == symbols.end()) {
      fields.refuse("parts." + part.name + ".file: the braces in \"" + part.file + "\" name no size");
      return out;
    }
    const std::string value = std::to_string(static_cast<long long>(size->second));
    out.replace(open, close - open + 1, value);
  }
  return out;
}

long long held_by(DataFields& fields, const DataPart& part, const std::string& file, const PartForm& form) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(file, error);
  if (error) {
    fields.refuse(
        "parts." + part.name + ": " + file + " cannot be read: " + error.message(),
        "relative paths are taken from the spec's folder; every node that measures must see the file");
    return 0;
  }
  const auto held = static_cast<long long>(bytes);
  if (part.count.empty() && held % form.bytes_each != 0)
    fields.refuse("parts." + part.name + ": " + file + " holds " + std::to_string(held) +
                  " bytes, which are no whole number of " + part.type);
  return held;
}

}  // namespace

Result<DataShape> code_shape(const ShapeInput& input) {
  DataFields fields(input.data(), input.symbols);
  DataShape out;
  for (const DataPart& part : input.data().parts)
    add_part(part, form_of(part, input.spec), count_of(fields, part, input.symbols), {}, out);
  if (fields.failed()) return fields.failure();
  for (const SizeSpec& size : input.spec.sizes)
    out.plan.words.push_back(static_cast<std::uint64_t>(input.symbols.at(size.name)));
  return out;
}

Result<DataShape> file_shape(const ShapeInput& input) {
  DataFields fields(input.data(), input.symbols);
  DataShape out;
  for (const DataPart& part : input.data().parts) {
    const PartForm form = form_of(part, input.spec);
    const std::string file = filled_in(fields, part, input.symbols);
    const long long held = fields.failed() ? 0 : held_by(fields, part, file, form);
    const long long count =
        part.count.empty() ? held / form.bytes_each : count_of(fields, part, input.symbols);
    if (!fields.failed() && count * form.bytes_each > held)
      fields.refuse("parts." + part.name + ": " + file + " holds " + std::to_string(held / form.bytes_each) +
                        " elements of type " + part.type + ", but its count is " + std::to_string(count),
                    "captured data does not grow: let the sizes that it depends on be fixed");
    add_part(part, form, count, file, out);
  }
  if (fields.failed()) return fields.failure();
  return out;
}

}  // namespace noctune
