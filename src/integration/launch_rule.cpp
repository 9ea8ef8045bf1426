#include "integration/launch_rule.hpp"

#include <algorithm>
#include <map>

#include "integration/source_edit.hpp"
#include "mep/reading/read_source.hpp"

namespace noctune {
namespace {

constexpr const char* problem = "no rule can place this version";

// A run of launches in the file that does what K(0)'s entry does.
struct Site {
  std::size_t begin = 0, end = 0;
  std::string call;
  const SourceFunction* host = nullptr;
};

std::vector<const SourceLaunch*> real_launches(const SourceFacts& facts) {
  std::vector<const SourceLaunch*> out;
  for (const SourceLaunch& one : facts.launches)
    if (!one.in_comment && !one.in_snippet) out.push_back(&one);
  std::sort(out.begin(), out.end(),
            [](const SourceLaunch* a, const SourceLaunch* b) { return a->where.begin < b->where.begin; });
  return out;
}

class LaunchRule {
 public:
  LaunchRule(const PlaceRequest& request, const SourceFacts& file, const WinnerParts& winner)
      : request_(request), file_(file), winner_(winner), original_(read_source(request.original)) {}

  Result<Placed> place() {
    if (Result<void> done = read_entry(); !done) return Failure(done.error());
    if (Result<void> done = find_kernels(); !done) return Failure(done.error());
    const Result<std::vector<Site>> sites = find_sites();
    if (!sites) return Failure(sites.error());
    Placed out;
    out.text = changed(*sites, winner_.body());
    out.broken = changed(*sites, idle_body(winner_.params(), winner_.return_type()));
    out.rule = std::to_string(sites->size()) + (sites->size() == 1 ? " launch of " : " launches of ") +
               names_[wanted_.front()->kernel] + (wanted_.size() > 1 ? " and what follows it" : "") +
               (sites->size() == 1 ? " becomes a call" : " become calls") + " of the winner's entry";
    return out;
  }

 private:
  Result<void> read_entry() {
    entry_ = original_.function(request_.entry);
    if (!entry_) return fail(problem, "the original defines no function " + request_.entry);
    for (const SourceLaunch* one : real_launches(original_)) {
      if (one->enclosing != request_.entry) continue;
      if (!one->loops.empty())
        return fail(problem, "the original launches " + one->kernel + " in a loop",
                    "the application's loop would have to go: a person or the model must do it");
      wanted_.push_back(one);
    }
    if (wanted_.empty())
      return fail(problem, "the file has neither a function " + request_.entry + " nor one of its body",
                  "name its function there in `symbols`, and check `file`");
    if (entry_->params.size() != winner_.params().size())
      return fail(problem, "its entry takes other parameters than the original's");
    return {};
  }

  // Under which names the file has K(0)'s kernels.
  Result<void> find_kernels() {
    for (const SourceLaunch* one : wanted_) {
      const SourceFunction* kernel = original_.function(one->kernel);
      if (!kernel) return fail(problem, "the original does not define its kernel " + one->kernel);
      const std::string body = canonical(piece(request_.original, kernel->body));
      for (const SourceFunction& mine : file_.functions)
        if (mine.params.size() == kernel->params.size() && canonical(piece(request_.file, mine.body)) == body)
          names_[one->kernel] = mine.name;
      if (!names_.contains(one->kernel))
        return fail(problem, "the file does not hold the kernel " + one->kernel + " as it was tuned",
                    "check `file`; where the application has changed since, extract the hotspot again");
    }
    return {};
  }

  Result<std::vector<Site>> find_sites() {
    std::size_t from = 0, to = request_.file.size();
    if (!request_.call_site.empty()) {
      from = request_.file.find(request_.call_site);
      if (from == std::string::npos) return fail(problem, "the file does not hold the `call_site`");
      to = from + request_.call_site.size();
    }
    const std::vector<const SourceLaunch*> launches = real_launches(file_);
    std::vector<Site> out;
    for (std::size_t i = 0; i < launches.size(); ++i) {
      const SourceLaunch& first = *launches[i];
      if (first.where.begin < from || first.where.end > to) continue;
      if (first.kernel != names_[wanted_.front()->kernel]) continue;
      Result<Site> site = site_at(launches, i);
      if (!site) return Failure(site.error());
      out.push_back(std::move(*site));
      i += wanted_.size() - 1;
    }
    if (out.empty()) return fail(problem, "the file does not launch " + names_[wanted_.front()->kernel]);
    return out;
  }

  Result<Site> site_at(const std::vector<const SourceLaunch*>& launches, std::size_t first) const {
    std::map<std::string, std::string> values;
    Site out;
    out.begin = launches[first]->where.begin;
    out.host = file_.function(launches[first]->enclosing);
    if (!out.host) return fail(problem, "the function around the launch cannot be told");
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      const SourceLaunch* mine = first + i < launches.size() ? launches[first + i] : nullptr;
      if (!mine || mine->kernel != names_.at(wanted_[i]->kernel) ||
          mine->enclosing != launches[first]->enclosing ||
          (i > 0 && !adjoin(*launches[first + i - 1], *mine)))
        return fail(problem, "in line " + std::to_string(launches[first]->where.line) +
                                 " the launches are not those of the original, one right after the other");
      if (Result<void> done = match(*wanted_[i], *mine, values); !done) return Failure(done.error());
      out.end = mine->where.end;
    }
    const Result<std::string> call = call_of(values, *launches[first]);
    if (!call) return Failure(call.error());
    out.call = *call + (request_.file[out.end - 1] == ';' ? ";" : "");
    return out;
  }

  bool adjoin(const SourceLaunch& one, const SourceLaunch& next) const {
    const std::string between =
        canonical(request_.file.substr(one.where.end, next.where.begin - one.where.end));
    return between.find_first_not_of("; ") == std::string::npos;
  }

  // An argument that is a parameter's name tells its value; any other must be what K(0) passes.
  Result<void> match(const SourceLaunch& theirs, const SourceLaunch& mine,
                     std::map<std::string, std::string>& values) const {
    const std::string line = "in line " + std::to_string(mine.where.line) + " ";
    if (theirs.args.size() != mine.args.size())
      return fail(problem, line + mine.kernel + " takes another number of arguments");
    for (std::size_t i = 0; i < theirs.args.size(); ++i) {
      const std::string& name = theirs.args[i];
      const bool is_param = std::any_of(entry_->params.begin(), entry_->params.end(),
                                        [&](const SourceParam& one) { return one.name == name; });
      if (!is_param && canonical(renamed(name, values)) != canonical(mine.args[i]))
        return fail(problem, line + "the argument " + mine.args[i] + " of " + mine.kernel +
                                 " cannot be told from the original's " + name);
      if (!is_param) continue;
      const auto [found, fresh] = values.emplace(name, mine.args[i]);
      if (!fresh && canonical(found->second) != canonical(mine.args[i]))
        return fail(problem, line + name + " would be both " + found->second + " and " + mine.args[i]);
    }
    return {};
  }

  Result<std::string> call_of(const std::map<std::string, std::string>& values,
                              const SourceLaunch& first) const {
    std::string out;
    for (std::size_t i = 0; i < entry_->params.size(); ++i) {
      const auto value = values.find(entry_->params[i].name);
      std::string argument = value == values.end() ? "" : value->second;
      if (argument.empty() && i + 1 == entry_->params.size() && !request_.stream_type.empty())
        argument = first.stream.empty() ? "0" : first.stream;
      if (argument.empty())
        return fail(problem, "the launch does not say the entry's parameter " + entry_->params[i].name,
                    "a person or the model must do it");
      out += (i == 0 ? "" : ", ") + argument;
    }
    return winner_.entry_name() + "(" + out + ")";
  }

  std::string changed(const std::vector<Site>& sites, const std::string& body) const {
    const auto uppermost = std::min_element(sites.begin(), sites.end(), [](const Site& a, const Site& b) {
      return a.host->declaration.begin < b.host->declaration.begin;
    });
    const std::size_t above = with_comment_above(request_.file, uppermost->host->declaration.begin);
    std::vector<TextEdit> edits = {missing_includes(request_.file, winner_.includes()),
                                   {above, above, winner_.above_with_entry(body)}};
    for (const Site& one : sites) edits.push_back({one.begin, one.end, one.call});
    return edited(request_.file, std::move(edits));
  }

  const PlaceRequest& request_;
  const SourceFacts& file_;
  const WinnerParts& winner_;
  SourceFacts original_;
  const SourceFunction* entry_ = nullptr;
  std::vector<const SourceLaunch*> wanted_;   // K(0)'s, in order
  std::map<std::string, std::string> names_;  // of its kernels, in the file
};

}  // namespace

Result<Placed> place_at_launches(const PlaceRequest& request, const SourceFacts& file,
                                 const WinnerParts& winner) {
  return LaunchRule(request, file, winner).place();
}

}  // namespace noctune
