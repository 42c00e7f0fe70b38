#include "lsp/session/Progress.h"

#include "lsp/session/Session.h"

#include <fmt/format.h>

namespace tikc::lsp {

void Progress::report(Session& session, std::size_t done, std::size_t total) {
  if (!session.client.hasProgress)
    return;
  if (state_ == State::Idle) {
    state_ = State::Asked;
    percent_ = 0;
    unsigned number = ++number_;
    session.ask("window/workDoneProgress/create",
                json::Object{{"token", fmt::format("tikc-{}", number)}},
                [this, number, &session](const Message& answer) {
                  if (answer.isFailure || number != number_ || state_ != State::Asked)
                    return;
                  state_ = State::Shown;
                  tell(session, "begin", 0, 0);
                });
  } else if (state_ == State::Shown && done * 100 / total != percent_) {
    percent_ = done * 100 / total;
    tell(session, "report", done, total);
  }
}

void Progress::end(Session& session) {
  if (state_ == State::Shown)
    tell(session, "end", 0, 0);
  state_ = State::Idle;
}

void Progress::tell(Session& session, const char* kind, std::size_t done, std::size_t total) {
  json::Object value{{"kind", kind}};
  if (kind == std::string_view("begin")) {
    value["title"] = "Checking contracts";
    value["percentage"] = 0;
  } else if (kind == std::string_view("report")) {
    value["percentage"] = percent_;
    value["message"] = fmt::format("{} of {}", done, total);
  }
  session.notify("$/progress", json::Object{{"token", fmt::format("tikc-{}", number_)},
                                            {"value", std::move(value)}});
}

} // namespace tikc::lsp
