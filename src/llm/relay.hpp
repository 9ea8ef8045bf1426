// Answers the requests of a spool with any chat service, on a node that has a network.
#pragma once

#include <functional>
#include <map>
#include <set>

#include "llm/budgeted_chat.hpp"
#include "llm/relay_watch.hpp"
#include "llm/spool_folder.hpp"

namespace noctune {

struct RelaySettings {
  ModelSettings model;  // models that may be asked, output limit, calls at once, budget
  double poll_s = 1, beat_s = 5;
  double stale_s = 120;  // a relay without a sign of life for so long is dead
  bool once = false;     // end when nothing is left to do
  std::function<void(const CallSlot&, const ChatReply&)> on_reply;
  std::function<void(const std::string&)> on_note;  // what a person should know
};

struct RelayTotals {
  int answers = 0, failures = 0;
  Spending spent;       // by this relay
  std::string problem;  // why it ended by itself, where something is wrong
};

// Requests are untrusted: a model outside the list is refused and the output limit is the setting's at most.
// Any number of relays may serve a spool. Guarantees, also if a relay is killed at any moment: a request
// whose reply a relay has put into its place is not sent again; one that was sent without that is sent once
// more at most, and both are booked.
class Relay {
 public:
  Relay(asio::io_context& io, SpoolFolder spool, ChatService& service, RelaySettings settings);

  // Until stop(), the STOP file, `once`, or a service that can answer nobody (key refused, quota gone). Open
  // calls are waited for.
  Task<RelayTotals> run();
  // Takes no more requests.
  void stop();
  // Ends open calls as well; what was asked stays in the spool.
  void hurry();

  std::string describe() const;

 private:
  Task<void> serve(SpoolClaim claim);
  Task<void> ask_and_store(SpoolClaim claim, SpooledRequest asked);
  Task<ChatReply> ask(const SpoolClaim& claim, const SpooledRequest& asked, Spending& reserved);
  SpoolAttempts sum_of(const std::vector<SpoolClaim>& senders) const;
  Task<void> store(const SpoolClaim& claim, const CallSlot& slot, ChatReply reply,
                   const std::vector<SpoolClaim>& senders);
  Task<void> keep_alive();
  std::optional<ChatReply> refusal(const SpooledRequest& asked) const;
  void take_requests();
  void recover_claims();
  void book_others();
  void put_back(const SpoolClaim& claim, const ChatReply& reply, const SpoolAttempts& own_before);
  void save_elsewhere(const std::string& name, const std::string& text);
  void note(const std::string& text) const;

  asio::io_context& io_;
  SpoolFolder spool_;
  ChatService& service_;
  RelaySettings settings_;
  BudgetGate gate_;
  RelayHeartbeat heartbeat_;
  RelayWatch watch_;
  Signal changed_;
  asio::steady_timer poll_timer_, beat_timer_;
  std::set<std::string> booked_;   // replies whose cost is in the budget
  std::set<std::string> serving_;  // names
  RelayTotals totals_;
  int open_ = 0;
  bool stopping_ = false, hurried_ = false, beating_ = true, keeping_alive_ = false;
};

}  // namespace noctune
