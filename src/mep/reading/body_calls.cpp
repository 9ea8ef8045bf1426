// Calls: pointers that are handed on, elements handed over by reference, launches.
#include <algorithm>

#include "mep/reading/body_reader.hpp"
#include "mep/reading/words.hpp"

namespace noctune::reading {
namespace {

constexpr std::size_t most_launches = 2000;
constexpr std::size_t most_pointer_calls = 5000;

bool in(const std::string& word, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(), [&](const char* one) { return word == one; });
}

// What a known function does with its pointer argument; nothing where it does nothing with what is behind it.
enum class Effect { unknown, none, read, write, atomic };

Effect effect_of(const std::string& name, std::size_t argument) {
  if (is_atomic_function(name)) return argument == 0 ? Effect::atomic : Effect::read;
  if (in(name, {"__ldg", "__ldcg", "__ldca", "__ldcs", "__ldlu", "__ldcv", "__builtin_nontemporal_load"}))
    return Effect::read;
  if (in(name, {"__stcs", "__stwt", "__stcg", "__stwb"})) return Effect::write;
  if (name == "__builtin_nontemporal_store") return Effect::write;
  if (in(name, {"memcpy", "memmove", "std::memcpy", "std::copy", "cudaMemcpy", "hipMemcpy", "cudaMemcpyAsync",
                "hipMemcpyAsync", "cudaMemcpyToSymbol", "hipMemcpyToSymbol"}))
    return argument == 0 ? Effect::write : Effect::read;
  if (in(name,
         {"memset", "std::memset", "cudaMemset", "hipMemset", "cudaMemsetAsync", "std::fill", "std::fill_n"}))
    return Effect::write;
  if (in(name, {"sincos", "sincosf", "sincospi", "sincospif", "frexp", "frexpf", "modf", "modff", "remquo"}))
    return argument == 0 ? Effect::read : Effect::write;
  if (in(name,
         {"__builtin_prefetch", "__builtin_assume_aligned", "assert", "printf", "free", "cudaFree", "hipFree",
          "__builtin_assume", "__assume_aligned", "fprintf", "static_cast", "cudaMalloc", "hipMalloc"}))
    return Effect::none;
  return Effect::unknown;
}

}  // namespace

void BodyReader::call(const std::string& name, std::size_t open, Span where) {
  if (macro_launch(where.begin, open)) return;
  note_call(name);
  if (name == "HIP_DYNAMIC_SHARED") {
    const auto parts = tokens_.split_texts({open + 1, tokens_.close(open)});
    if (parts.size() == 2) out_.shared.push_back({parts[0], parts[1], {""}, true});
    if (parts.size() == 2) scopes_.declare(parts[1], {});
    return;
  }
  const SourceFunction* known = names_.function(name);
  if (known == nullptr) free_name(where.begin);
  PointerCall record;
  const std::vector<Span> args = tokens_.split({open + 1, std::min(tokens_.close(open), end_)});
  for (std::size_t i = 0; i < args.size(); ++i) {
    const std::vector<Place> places = pointer_value(args[i], 0);
    if (places.empty())
      element_argument(name, i, args[i]);
    else
      pointer_argument(name, i, places, open, where, record);
  }
  if (known == nullptr) return;
  for (const Span& arg : args) record.args.push_back(tokens_.text(arg));
  const bool host = known->kind == SourceFunction::Kind::host;
  if (options_.calls_are_launches && host && name != options_.enclosing) {
    SourceLaunch launch;
    launch.kernel = name;
    launch.args = record.args;
    if (tokens_.is(open - 1, ">")) launch.templates = tokens_.text({where.begin + 2, open - 1});
    add_launch(std::move(launch), where);
  }
  if (record.pointers.empty() || pointer_calls.size() >= most_pointer_calls) return;
  record.callee = name;
  record.loop_depth = static_cast<int>(loops_.size());
  record.guard = guards_.empty() ? "" : guards_.back();
  record.where = tokens_.range(where);
  pointer_calls.push_back(std::move(record));
}

void BodyReader::pointer_argument(const std::string& name, std::size_t index,
                                  const std::vector<Place>& places, std::size_t, Span where,
                                  PointerCall& record) {
  if (names_.function(name) != nullptr) {
    for (const Place& place : places) record.pointers.emplace_back(index, place);
    return;
  }
  const Effect effect = effect_of(name, index);
  if (effect == Effect::none) return;
  std::vector<Place> touched = places;
  // Of what a library function touches only the start is known, except for those that touch one element.
  const bool one_element =
      name.rfind("__", 0) == 0 || effect == Effect::atomic || name.rfind("sincos", 0) == 0;
  for (Place& place : touched) place.unclear = place.unclear || !one_element;
  const Kind unknown = touched.front().read_only ? Kind::read : Kind::update;
  const Kind kind = effect == Effect::read     ? Kind::read
                    : effect == Effect::write  ? Kind::write
                    : effect == Effect::atomic ? Kind::atomic
                                               : unknown;
  emit(touched, kind, where, one_element ? "" : name);
}

// An element handed to a reference parameter may be written there.
void BodyReader::element_argument(const std::string& name, std::size_t index, Span argument) {
  if (argument.empty() || !tokens_.is_name(argument.begin)) return;
  const SourceFunction* known = names_.function(name);
  const bool swaps = name == "swap" || name == "std::swap";
  const bool changes = known != nullptr && index < known->params.size() && known->params[index].reference &&
                       !known->params[index].const_base;
  const bool atomic = name.find("atomic_ref") != std::string::npos;
  if (swaps || changes || atomic) overrides_[argument.begin] = atomic ? Kind::atomic : Kind::update;
}

// kernel<float><<<grid, block, shared, stream>>>(args) at its name.
bool BodyReader::launch_at(std::size_t at) {
  std::size_t open = at + 1;
  SourceLaunch launch;
  if (tokens_.is(open, "<")) {
    const std::size_t close = tokens_.angle_close(open);
    if (close == nowhere) return false;
    launch.templates = tokens_.text({open + 1, close});
    open = close + 1;
  }
  if (!tokens_.is(open, "<<<")) return false;
  const std::size_t close = tokens_.find({open + 1, tokens_.size()}, {">>>", ";", "}"});
  if (!tokens_.is(close, ">>>")) return false;
  launch.kernel = tokens_[at].text;
  const std::vector<std::string> shape = tokens_.split_texts({open + 1, close});
  std::string* const fields[] = {&launch.grid, &launch.block, &launch.shared_bytes, &launch.stream};
  for (std::size_t i = 0; i < std::min<std::size_t>(shape.size(), 4); ++i) *fields[i] = shape[i];
  std::size_t end = close + 1;
  PointerCall record;
  if (tokens_.is(close + 1, "(")) {
    end = tokens_.past(close + 1);
    const std::vector<Span> args = tokens_.split({close + 2, tokens_.close(close + 1)});
    for (std::size_t i = 0; i < args.size(); ++i) {
      launch.args.push_back(tokens_.text(args[i]));
      for (const Place& place : pointer_value(args[i], 0)) record.pointers.emplace_back(i, place);
    }
  }
  if (!record.pointers.empty() && pointer_calls.size() < most_pointer_calls) {
    record.callee = launch.kernel;
    record.args = launch.args;
    record.where = tokens_.range({at, end});
    record.loop_depth = static_cast<int>(loops_.size());
    pointer_calls.push_back(std::move(record));
  }
  note_call(launch.kernel);
  add_launch(std::move(launch), {at, end});
  return true;
}

// hipLaunchKernelGGL(kernel, grid, block, shared, stream, args...); the kernel may stand in parentheses.
bool BodyReader::macro_launch(std::size_t at, std::size_t open) {
  if (!tokens_.is_one_of(at, {"hipLaunchKernelGGL", "hipLaunchKernel"})) return false;
  const std::vector<Span> parts = tokens_.split({open + 1, tokens_.close(open)});
  if (parts.size() < 5) return false;
  Span kernel = parts[0];
  if (tokens_.is(kernel.begin, "HIP_KERNEL_NAME") || tokens_.is(kernel.begin, "KERNEL_NAME")) ++kernel.begin;
  if (tokens_.is(kernel.begin, "(")) kernel = {kernel.begin + 1, tokens_.close(kernel.begin)};
  SourceLaunch launch;
  launch.kernel = tokens_[kernel.begin].text;
  if (tokens_.is(kernel.begin + 1, "<") && kernel.size() > 2)
    launch.templates = tokens_.text({kernel.begin + 2, kernel.end - 1});
  launch.grid = tokens_.text(parts[1]);
  launch.block = tokens_.text(parts[2]);
  launch.shared_bytes = tokens_.text(parts[3]);
  launch.stream = tokens_.text(parts[4]);
  for (std::size_t i = 5; i < parts.size(); ++i) launch.args.push_back(tokens_.text(parts[i]));
  note_call(launch.kernel);
  add_launch(std::move(launch), {at, tokens_.past(open)});
  return true;
}

void BodyReader::add_launch(SourceLaunch launch, Span where) {
  if (launches.size() >= most_launches) return;
  launch.in_comment = options_.in_comment;
  launch.in_snippet = options_.in_snippet;
  launch.enclosing = options_.enclosing;
  launch.where = tokens_.range(where);
  launch.loops.assign(loops_.begin(),
                      loops_.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(loops_.size(), 16)));
  launches.push_back(std::move(launch));
}

}  // namespace noctune::reading
