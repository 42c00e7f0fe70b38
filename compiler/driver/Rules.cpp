#include "driver/CommonOptions.h"
#include "project/Projects.h"
#include "support/Columns.h"
#include "support/Json.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

namespace tikc::driver {
namespace {

namespace fs = std::filesystem;

/// A code, and what the settings make of it.
struct Ruling {
  const diag::CodeInfo& code;
  diag::Severity here;
  std::string_view decidedBy;
};

Ruling rulingOf(const diag::CodeInfo& row, const project::Settings& settings) {
  diag::Severity here = settings.severityOf(row.code, row.severity);
  bool isFixed = row.policy == diag::SeverityPolicy::Fixed;
  std::string_view decidedBy = isFixed                                  ? "fixed"
                               : settings.severities.contains(row.code) ? "severities"
                               : here != row.severity                   ? "profile"
                                                                        : "catalogue";
  return {row, here, decidedBy};
}

std::string rulesText(const std::vector<Ruling>& rulings) {
  std::vector<std::vector<std::string>> rows = {
      {"code", "here", "decided by", "catalogue", "fix", "name", "what it finds"}};
  for (const Ruling& each : rulings)
    rows.push_back({std::string(each.code.id), std::string(severityName(each.here)),
                    std::string(each.decidedBy), std::string(severityName(each.code.severity)),
                    diag::hasFixes(each.code.code) ? "yes" : "-", std::string(each.code.name),
                    std::string(each.code.summary)});
  return inColumns(rows);
}

std::string rulesJson(const project::Settings& settings, const std::vector<Ruling>& rulings) {
  return writeJson([&](llvm::json::OStream& json) {
    json.object([&] {
      json.attribute("format", "tikc-rules/v1");
      json.attribute("profile", jsonText(info(settings.profile).name));
      json.attributeArray("rules", [&] {
        for (const Ruling& each : rulings)
          json.object([&] {
            json.attribute("code", jsonText(each.code.id));
            json.attribute("name", jsonText(each.code.name));
            json.attribute("family", jsonText(diag::familyOf(each.code.code)));
            json.attribute("severity", jsonText(severityName(each.here)));
            json.attribute("decidedBy", jsonText(each.decidedBy));
            json.attribute("default", jsonText(severityName(each.code.severity)));
            json.attribute("settable", each.code.policy == diag::SeverityPolicy::Settable);
            json.attribute("fixable", diag::hasFixes(each.code.code));
            json.attribute("summary", jsonText(each.code.summary));
          });
      });
    });
  });
}

llvm::Expected<fs::path> folderOf(const std::string& path) {
  std::error_code error;
  fs::path real = fs::canonical(path, error);
  if (error)
    return usageError(fmt::format("cannot read {}: {}", utf8::tickedPath(path), error.message()));
  return fs::is_directory(real, error) ? real : real.parent_path();
}

} // namespace

llvm::Expected<int> runRules(const Invocation& invocation) {
  auto folder = folderOf(invocation.arguments.empty() ? "." : invocation.arguments.front());
  if (!folder)
    return folder.takeError();
  Limits limits;
  SourceManager sources;
  project::Projects projects(sources, limits);
  projects.ignoreBaselines();
  const project::Settings* settings = projects.settingsFor(*folder, *folder);
  if (!settings)
    return usageError(fmt::format("{}", fmt::join(projects.takeFaults(), "\n")));
  bool isFaulty = complainOfErrors(sources, projects.findings());
  std::vector<Ruling> rulings;
  for (const diag::CodeInfo& row : diag::catalogue())
    rulings.push_back(rulingOf(row, *settings));
  std::string text =
      invocation.get("--format") == "json" ? rulesJson(*settings, rulings) : rulesText(rulings);
  if (auto error = writeOutput(invocation, text))
    return error;
  return isFaulty ? Findings : Clean;
}

} // namespace tikc::driver
