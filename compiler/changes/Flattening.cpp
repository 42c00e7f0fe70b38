#include "changes/Flattening.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace tikc::changes {
namespace {

constexpr std::size_t indentStep = 2; // of the printer's indentation

/// Reads block YAML as the printer of contracts writes it: a key a line, texts in quotes.
class Flattener {
public:
  void line(std::string_view text) {
    std::size_t indent = std::min(text.find_first_not_of(' '), text.size());
    if (indent < text.size() && text[indent] == '-') { // an item, which is a level of its own
      leave(indent);
      path_.push_back(std::to_string(items_[joined()]++));
      indent += indentStep;
    }
    leave(indent);
    auto colon = text.find(':', indent);
    if (colon == std::string_view::npos)
      return;
    path_.emplace_back(text.substr(indent, colon - indent));
    if (colon + 2 < text.size())
      out_[joined()] = text.substr(colon + 2);
  }

  Facts take() { return std::move(out_); }

private:
  void leave(std::size_t indent) { path_.resize(std::min(path_.size(), indent / indentStep)); }

  std::string joined() const {
    std::string out;
    for (const std::string& part : path_)
      out += (out.empty() ? "" : ".") + part;
    return out;
  }

  std::vector<std::string> path_;
  std::map<std::string, std::size_t> items_;
  Facts out_;
};

} // namespace

Facts factsOf(const model::Contract& contract) {
  std::string text = model::meaning(contract);
  Flattener out;
  for (std::string_view rest = text; !rest.empty();) {
    auto end = std::min(rest.find('\n'), rest.size());
    out.line(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out.take();
}

} // namespace tikc::changes
