#include "driver/Rendering.h"

#include "driver/CommonOptions.h"
#include "tikc/Version.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>

namespace tikc::driver {
namespace {

bool writesTerminal(const Invocation& invocation) {
  return !invocation.has("--output") && ::isatty(STDOUT_FILENO) == 1;
}

bool wantsColor(const Invocation& invocation) {
  std::string when = invocation.get("--color");
  if (when != "auto")
    return when == "always";
  const char* off = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return writesTerminal(invocation) && !(off && *off) &&
         !(terminal && std::string_view(terminal) == "dumb");
}

/// The time that a JUnit report states; reproducible builds set their own.
std::int64_t reportTime() {
  if (const char* fixed = std::getenv("SOURCE_DATE_EPOCH"))
    if (auto seconds = parseNumber(fixed))
      return *seconds;
  return std::time(nullptr);
}

} // namespace

diag::RenderOptions renderOptions(const Invocation& invocation) {
  diag::RenderOptions options;
  options.color = wantsColor(invocation);
  options.quiet = invocation.has("--quiet");
  options.failOn = diag::findSeverity(invocation.get("--fail-on")).value_or(diag::Severity::Error);
  options.time = reportTime();
  options.codesPage = codesAddress;
  winsize size{};
  if (writesTerminal(invocation) && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
      size.ws_col >= 40)
    options.width = size.ws_col;
  return options;
}

} // namespace tikc::driver
