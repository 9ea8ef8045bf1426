// Signs of life of the relays at a spool. Clocks of nodes differ, so a watcher believes only that a sequence
// number went on while it looked; on its own host it asks whether the process still exists.
#pragma once

#include <map>
#include <string>

#include "llm/spool_folder.hpp"

namespace noctune {

// One relay's file in relays/; goes away with it when it ends in order.
class RelayHeartbeat {
 public:
  explicit RelayHeartbeat(const SpoolFolder& spool);
  ~RelayHeartbeat();
  RelayHeartbeat(const RelayHeartbeat&) = delete;
  RelayHeartbeat& operator=(const RelayHeartbeat&) = delete;

  const std::string& id() const { return id_; }  // "login1-4711-9f32c01a"
  Result<void> beat();

 private:
  const SpoolFolder& spool_;
  std::string id_;
  long long sequence_ = 0;
};

class RelayWatch {
 public:
  RelayWatch(const SpoolFolder& spool, double stale_s) : spool_(spool), stale_s_(stale_s) {}

  void look();
  // By the last look: its process is gone, or it gave no sign for `stale_s`. List claims before looking: a
  // relay's first heartbeat precedes its first claim.
  bool dead(const std::string& relay);
  // A relay seen for the first time is alive, unless its process is gone.
  bool any_alive() const;
  // Removes the heartbeats of the dead, once their claims are dealt with.
  void clear_dead();

 private:
  struct Seen {
    std::string content;
    double changed = 0;  // on the steady clock
    bool gone = false;
  };

  const SpoolFolder& spool_;
  double stale_s_;
  double looked_ = 0;
  std::map<std::string, Seen> seen_;
  std::map<std::string, double> unknown_since_;
};

}  // namespace noctune
