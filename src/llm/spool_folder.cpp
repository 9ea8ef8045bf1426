#include "llm/spool_folder.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>

#include "base/digest.hpp"
#include "base/files.hpp"

namespace noctune {
namespace fs = std::filesystem;
namespace {

constexpr std::array places = {SpoolPlace::req, SpoolPlace::work, SpoolPlace::rsp,   SpoolPlace::done,
                               SpoolPlace::bad, SpoolPlace::tmp,  SpoolPlace::relays};
constexpr std::uintmax_t largest_file = 64U << 20U;
constexpr auto temporary_life = std::chrono::hours(24);

Result<void> make_private(const fs::path& path) {
  if (::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST) return {};
  return fail("cannot make the spool folder " + path.string(), errno_text(errno),
              "name a folder that can be written on a file system that both nodes see");
}

void sweep(const fs::path& tmp) {
  std::error_code ignored;
  const auto oldest = fs::file_time_type::clock::now() - temporary_life;
  for (const fs::directory_entry& entry : fs::directory_iterator(tmp, ignored))
    if (const auto written = entry.last_write_time(ignored); !ignored && written < oldest)
      fs::remove(entry.path(), ignored);
}

std::string without_ending(const std::string& file) {
  return file.substr(0, file.rfind('.'));
}

}  // namespace

const char* to_text(SpoolPlace place) {
  static constexpr std::array names = {"req", "work", "rsp", "done", "bad", "tmp", "relays"};
  return names[static_cast<std::size_t>(place)];
}

bool is_answer(ChatOutcome outcome) {
  return outcome == ChatOutcome::ok || outcome == ChatOutcome::truncated || outcome == ChatOutcome::refused ||
         outcome == ChatOutcome::empty;
}

Result<SpoolFolder> SpoolFolder::open(const fs::path& path) {
  std::error_code wrong;
  const fs::path whole = fs::absolute(path, wrong).lexically_normal();
  if (Result<void> made = make_private(whole); !made) return Failure(made.error());
  SpoolFolder out(whole);
  for (const SpoolPlace place : places)
    if (Result<void> made = make_private(whole / to_text(place)); !made) return Failure(made.error());
  if (::access((whole / "tmp").c_str(), W_OK) != 0)
    return fail("cannot write in the spool " + whole.string(), errno_text(errno));
  sweep(whole / "tmp");
  return out;
}

fs::path SpoolFolder::file(SpoolPlace place, const std::string& name) const {
  return path_ / to_text(place) / name;
}

std::vector<std::string> SpoolFolder::list(SpoolPlace place, std::string_view ending) const {
  std::vector<std::string> out;
  std::error_code wrong;
  for (fs::directory_iterator at(path_ / to_text(place), wrong), end; !wrong && at != end;
       at.increment(wrong)) {
    const std::string name = at->path().filename().string();
    if (!name.starts_with('.') && name.ends_with(ending)) out.push_back(name);
  }
  std::sort(out.begin(), out.end());
  return out;
}

bool SpoolFolder::has(SpoolPlace place, const std::string& name) const {
  std::error_code wrong;
  return fs::exists(file(place, name), wrong);
}

Result<std::string> SpoolFolder::read(SpoolPlace place, const std::string& name) const {
  const fs::path path = file(place, name);
  std::error_code wrong;
  if (!fs::is_regular_file(path, wrong)) return fail(path.string() + " is no file");
  const auto size = fs::file_size(path, wrong);
  if (wrong) return fail("cannot read " + path.string(), wrong.message());
  if (size > largest_file) return fail(path.string() + " is too long", "64 MiB is the most");
  return read_file(path);
}

Result<void> SpoolFolder::put(SpoolPlace place, const std::string& name, const std::string& content) const {
  const fs::path temporary = file(SpoolPlace::tmp, random_uuid()), target = file(place, name);
  if (Result<void> written = replace_file(temporary, content); !written) return written;
  if (::rename(temporary.c_str(), target.c_str()) != 0) {
    const int reason = errno;
    ::unlink(temporary.c_str());
    return fail("cannot put " + target.string() + " in its place", errno_text(reason));
  }
  return sync_parent(target);
}

bool SpoolFolder::move(SpoolPlace from, const std::string& name, SpoolPlace to,
                       const std::string& new_name) const {
  return ::rename(file(from, name).c_str(), file(to, new_name).c_str()) == 0;
}

void SpoolFolder::remove(SpoolPlace place, const std::string& name) const {
  ::unlink(file(place, name).c_str());
}

void SpoolFolder::reject(SpoolPlace place, const std::string& name, const std::string& why) const {
  if (!move(place, name, SpoolPlace::bad, name)) return;
  (void)put(SpoolPlace::bad, name + ".why", why + "\n");  // the file itself is out of the way, that is enough
}

std::vector<std::string> SpoolFolder::requests() const {
  std::vector<std::string> out;
  for (const std::string& file_name : list(SpoolPlace::req))
    if (is_spool_name(without_ending(file_name))) out.push_back(without_ending(file_name));
  return out;
}

std::vector<SpoolClaim> SpoolFolder::work_files(std::string_view ending) const {
  std::vector<SpoolClaim> out;
  for (const std::string& file_name : list(SpoolPlace::work, ending)) {
    const auto at = file_name.find('@');
    if (at == std::string::npos || !is_spool_name(file_name.substr(0, at))) continue;
    out.push_back({file_name.substr(0, at), without_ending(file_name).substr(at + 1)});
  }
  return out;
}

std::vector<SpoolClaim> SpoolFolder::claims() const {
  return work_files(".txt");
}

// A reply moves from rsp/ to done/, so looking in this order never misses it.
bool SpoolFolder::answered(const std::string& name) const {
  return has(SpoolPlace::rsp, name + ".txt") || has(SpoolPlace::done, name + ".txt");
}

bool SpoolFolder::take(const SpoolClaim& claim) const {
  // A network file system may repeat a rename that has worked and then say that nothing was there.
  return move(SpoolPlace::req, claim.name + ".txt", SpoolPlace::work, claim.file()) ||
         has(SpoolPlace::work, claim.file());
}

bool SpoolFolder::give_back(const SpoolClaim& claim) const {
  return move(SpoolPlace::work, claim.file(), SpoolPlace::req, claim.name + ".txt");
}

std::vector<SpoolClaim> SpoolFolder::all_senders() const {
  return work_files(".sent");
}

std::vector<SpoolClaim> SpoolFolder::senders(const std::string& name) const {
  std::vector<SpoolClaim> out = all_senders();
  std::erase_if(out, [&](const SpoolClaim& sender) { return sender.name != name; });
  return out;
}

SpoolAttempts SpoolFolder::attempts(const SpoolClaim& sender) const {
  const Result<std::string> text = read(SpoolPlace::work, sender.sent_file());
  if (!text && !has(SpoolPlace::work, sender.sent_file())) return {};
  const Result<SpoolHeader> header = text ? header_from(*text) : Failure(text.error());
  if (!header) return {1, 0, 0};  // whatever it holds, its being there says that something was sent
  return {static_cast<int>(std::clamp(number_in(header->fields, "sent"), 0LL, 1000LL)),
          number_in(header->fields, "booked_micros"), number_in(header->fields, "booked_tokens")};
}

Result<void> SpoolFolder::set_attempts(const SpoolClaim& sender, const SpoolAttempts& a) const {
  return put(SpoolPlace::work, sender.sent_file(),
             fields_text({{"sent", std::to_string(a.sent)},
                          {"booked_micros", std::to_string(a.micros)},
                          {"booked_tokens", std::to_string(a.tokens)}}));
}

void SpoolFolder::drop(const SpoolClaim& claim) const {
  remove(SpoolPlace::work, claim.sent_file());
  remove(SpoolPlace::work, claim.file());
}

void SpoolFolder::archive_reply(const std::string& name, bool answer) const {
  const std::string reply = name + ".txt";
  // First the work: a claim that outlived its reply would look as if it were unanswered.
  for (const SpoolClaim& sender : senders(name)) drop(sender);
  for (const SpoolClaim& claim : claims())
    if (claim.name == name) drop(claim);
  std::string archived = reply;
  for (int n = 1; !answer && (n == 1 || has(SpoolPlace::done, archived)); ++n)
    archived = name + ".failed-" + std::to_string(n) + ".txt";
  move(SpoolPlace::rsp, reply, SpoolPlace::done, archived);
}

bool SpoolFolder::stop_wanted() const {
  std::error_code wrong;
  return fs::exists(path_ / "STOP", wrong);
}

void SpoolFolder::clear_stop() const {
  ::unlink((path_ / "STOP").c_str());
}

}  // namespace noctune
