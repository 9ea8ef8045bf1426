// The directory by which requests reach a node with a network and replies come back; docs/spool.md has the
// protocol. Files appear by rename alone, so whoever lists a folder sees whole ones. No locks, no state here.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "llm/spool_text.hpp"

namespace noctune {

enum class SpoolPlace { req, work, rsp, done, bad, tmp, relays };
const char* to_text(SpoolPlace place);  // the folder's name

// A request that a relay has taken: work/<name>@<relay>.txt; once it is being sent, with a file .sent beside
// it that outlives the claim.
struct SpoolClaim {
  std::string name, relay;
  std::string file() const { return name + "@" + relay + ".txt"; }
  std::string sent_file() const { return name + "@" + relay + ".sent"; }
};

// How often a request was sent without an answer so far, and what was booked for it.
struct SpoolAttempts {
  int sent = 0;
  long long micros = 0, tokens = 0;  // reserved for those, see budget.hpp
};

class SpoolFolder {
 public:
  // Makes the folders that are missing, mode 0700, and removes temporary files older than a day.
  static Result<SpoolFolder> open(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path file(SpoolPlace place, const std::string& name) const;

  // Sorted names of the files; hidden ones are left out, and so is what has another ending.
  std::vector<std::string> list(SpoolPlace place, std::string_view ending = ".txt") const;
  bool has(SpoolPlace place, const std::string& name) const;
  // Files longer than 64 MiB are an error.
  Result<std::string> read(SpoolPlace place, const std::string& name) const;
  // Written in tmp/, synced, renamed.
  Result<void> put(SpoolPlace place, const std::string& name, const std::string& content) const;
  // False when it is not there (any more).
  bool move(SpoolPlace from, const std::string& name, SpoolPlace to, const std::string& new_name) const;
  void remove(SpoolPlace place, const std::string& name) const;
  // Into bad/, with a file <name>.why beside it.
  void reject(SpoolPlace place, const std::string& name, const std::string& why) const;

  // Names of the requests that wait for a relay.
  std::vector<std::string> requests() const;
  std::vector<SpoolClaim> claims() const;
  // Whether a reply is there or was there. True stays true unless the reply was a failure.
  bool answered(const std::string& name) const;
  // Of relays that race only one gets true.
  bool take(const SpoolClaim& claim) const;
  // Back to where a relay finds it.
  bool give_back(const SpoolClaim& claim) const;
  // Which relays have sent the request, in vain so far.
  std::vector<SpoolClaim> senders(const std::string& name) const;
  std::vector<SpoolClaim> all_senders() const;
  SpoolAttempts attempts(const SpoolClaim& sender) const;
  Result<void> set_attempts(const SpoolClaim& sender, const SpoolAttempts& attempts) const;
  // Ends one relay's work on a request. Each file has one relay that writes it, so nobody removes another's
  // fresh one by mistake.
  void drop(const SpoolClaim& claim) const;
  // Ends all work on a request, and puts its reply into done/: an answer under its name, where it answers
  // again; a failure beside it, so that the request may be asked anew.
  void archive_reply(const std::string& name, bool is_answer) const;

  bool stop_wanted() const;
  void clear_stop() const;

 private:
  std::vector<SpoolClaim> work_files(std::string_view ending) const;
  explicit SpoolFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

// Whether the model's words were received, be they of use or not; else the call failed and may be asked anew.
bool is_answer(ChatOutcome outcome);

}  // namespace noctune
