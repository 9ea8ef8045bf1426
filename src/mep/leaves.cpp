#include "mep/leaves.hpp"

#include "model/c_type.hpp"
#include "model/element_type.hpp"

namespace noctune {
namespace {

class Collector {
 public:
  explicit Collector(const MepSpec& spec) : spec_(spec) {}

  std::vector<Leaf> run() && {
    for (place_ = 0; place_ < spec_.params.size(); ++place_) add(spec_.params[place_], "");
    return std::move(leaves_);
  }

 private:
  void add(const ParamSpec& param, const std::string& prefix) {
    const std::string name = prefix + param.name;
    if (param.fields.empty()) return add_plain(param, name);
    if (param.is_struct_value() || param.is_single_struct()) {
      for (const ParamSpec& field : param.fields) add(field, name + ".");
      return;
    }
    for (const ParamSpec& field : param.fields) add_member(field, param, name, "");
  }

  void add_plain(ParamSpec param, const std::string& name) {
    Leaf leaf;
    const auto form = element_form_of(param.type, spec_.defines);
    const bool several = form && form->scalars > 1;
    leaf.kind = !param.count.empty()                      ? Leaf::Kind::buffer
                : several && !is_pointer_type(param.type) ? Leaf::Kind::inlined
                                                          : Leaf::Kind::value;
    if (leaf.kind == Leaf::Kind::inlined) param.count = "1";
    push(std::move(leaf), std::move(param), name);
  }

  void add_member(const ParamSpec& field, const ParamSpec& records, const std::string& name,
                  const std::string& prefix) {
    const std::string path = prefix + field.name;
    if (!field.fields.empty()) {
      for (const ParamSpec& inner : field.fields) add_member(inner, records, name, path + ".");
      return;
    }
    Leaf leaf;
    leaf.kind = Leaf::Kind::member;
    leaf.records = name;
    leaf.path = path;
    ParamSpec param = field;
    param.count = records.count;
    param.role = records.role;
    param.live_out = records.live_out && field.live_out;
    param.keep_unwritten = records.keep_unwritten || field.keep_unwritten;
    param.by_invariants = records.by_invariants || field.by_invariants;
    push(std::move(leaf), std::move(param), name + "." + path);
  }

  void push(Leaf leaf, ParamSpec param, const std::string& name) {
    leaf.name = param.name = name;
    leaf.place = place_;
    leaf.param = std::move(param);
    leaves_.push_back(std::move(leaf));
  }

  const MepSpec& spec_;
  std::size_t place_ = 0;
  std::vector<Leaf> leaves_;
};

}  // namespace

std::vector<Leaf> leaves_of(const MepSpec& spec) {
  return Collector(spec).run();
}

}  // namespace noctune
