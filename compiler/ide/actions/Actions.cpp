#include "ide/actions/Actions.h"

#include <algorithm>

namespace tikc::ide {

std::vector<CodeAction> actionsFor(const ActionRequest& request) {
  struct Row {
    ActionKind kind;
    void (*add)(const ActionRequest& request, std::vector<CodeAction>& out);
  };
  static constexpr Row rows[] = {
      {ActionKind::QuickFix, addFixes},        {ActionKind::QuickFix, addMissing},
      {ActionKind::QuickFix, addSuppressions}, {ActionKind::QuickFix, addVersion},
      {ActionKind::Rewrite, addNumbers},       {ActionKind::Extract, addExtraction},
      {ActionKind::FixAll, addFixAll}};
  std::vector<CodeAction> out;
  for (const Row& row : rows)
    if (request.kinds.contains(row.kind))
      row.add(request, out);
  return out;
}

Edit wholeEdit(FileId file, std::string_view before, std::string_view after) {
  std::size_t most = std::min(before.size(), after.size()), head = 0, tail = 0;
  while (head < most && before[head] == after[head])
    ++head;
  while (tail < most - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
    ++tail;
  // Between whole lines, so that no character or line break is cut.
  while (head > 0 && before[head - 1] != '\n')
    --head;
  while (tail > 0 && before[before.size() - tail - 1] != '\n')
    --tail;
  return {
      {file, static_cast<std::uint32_t>(head), static_cast<std::uint32_t>(before.size() - tail)},
      std::string(after.substr(head, after.size() - tail - head))};
}

} // namespace tikc::ide
