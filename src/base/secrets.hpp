// Which environment variables look like secrets, and how this process forgets them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace noctune {

// By the words of its name (KEY, TOKEN, PASSWORD ...) or by how its value begins. Proxies, which may hold a
// password, are not meant: whoever needs no network leaves them out by is_proxy().
bool may_hold_secret(std::string_view name, std::string_view value);
bool is_proxy(std::string_view name);

// Removes every such variable from this process, after its value was overwritten where the kernel shows it
// (/proc/self/environ). What a process manager's library needs (PMI_, PMIX_) and proxies stay. Also forgets
// SSLKEYLOGFILE and forbids core files. Returns the names that went. Call it once, before threads and
// children, when keys have been read.
// `also`: further names, whatever they look like.
std::vector<std::string> scrub_environment(const std::vector<std::string>& also = {});

}  // namespace noctune
