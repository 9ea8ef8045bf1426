// Which descriptors a process holds: closing all others, and putting given ones at given numbers.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace noctune {

// How to close: the kernel's close_range (5.9), or one by one where it has none.
enum class CloseBy { range_or_each, each };
// Closes every descriptor that is not in `keep`.
void close_all_except(std::vector<int> keep, CloseBy how = CloseBy::range_or_each);

// Each {descriptor, number}: afterwards `number` is a copy of it, open across exec. Numbers may coincide with
// other descriptors of the list. Those at numbers >= first_free_number stay valid. False with errno on
// failure.
int first_free_number(const std::vector<std::pair<int, int>>& wanted);
bool place_descriptors(const std::vector<std::pair<int, int>>& wanted);

}  // namespace noctune
