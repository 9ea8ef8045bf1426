// Members of an array of structs, one behind the other: what works on plain buffers then works on them too.
#pragma once

#include <cstddef>

#include "entry.hpp"

namespace noctune {

// `bytes` are those of the member in all records.
void gather(const char* records, const Place& place, char* to, std::size_t bytes, int threads);
void scatter(char* records, const Place& place, const char* from, std::size_t bytes, int threads);

}  // namespace noctune
