#include "verifier/Check.h"

#include <filesystem>
#include <fstream>
#include <iostream>

namespace {

constexpr std::string_view version = "tikc-verify " TIKC_VERSION "\n";
constexpr std::string_view help =
    "usage: tikc-verify CERTIFICATE FILE...\n"
    "       tikc-verify --help | --version\n\n"
    "Checks a certificate of tikc: whether every claim that it marks as proved follows from the\n"
    "contract files, by lemmas that this program knows. Pass the files in the certificate's "
    "order,\n"
    "in the folders where their `extends` find each other. The program shares no code with tikc:\n"
    "it has its own numbers, formulas and reader.\n\n"
    "exit status: 0 every claim is proved; 1 the certificate is rejected, or a claim is not "
    "proved;\n"
    "2 wrong usage or an unreadable file\n";

} // namespace

int main(int count, char** arguments) {
  const std::string_view first = count > 1 ? arguments[1] : "";
  const bool asksVersion = first == "--version" || first == "-V";
  if (asksVersion || first == "--help" || first == "-h") {
    std::cout << (asksVersion ? version : help) << std::flush;
    return std::cout ? 0 : 2;
  }
  if (count < 3) {
    std::cerr << help;
    return 2;
  }
  std::vector<verify::File> files;
  for (int i = 1; i < count; ++i) {
    constexpr std::streamoff most = 16'000'000;
    std::ifstream file(arguments[i], std::ios::binary | std::ios::ate);
    const std::streamoff size = file.tellg();
    std::string content(static_cast<std::size_t>(size < 0 || size > most ? 0 : size), '\0');
    if (size < 0 || size > most || !file.seekg(0).read(content.data(), size)) {
      std::cerr << "tikc-verify: cannot read " << arguments[i] << ", or it is above 16 MB\n";
      return 2;
    }
    std::error_code ignored;
    const auto path = std::filesystem::canonical(arguments[i], ignored);
    files.push_back({path.empty() ? arguments[i] : path.string(), content});
  }
  const std::string certificate = files.front().content;
  files.erase(files.begin());
  verify::Verdict verdict = verify::check(certificate, files);
  (verdict.accepted ? std::cout : std::cerr) << verdict.report;
  for (const std::string& claim : verdict.open)
    std::cerr << "tikc-verify: " << claim << " is not proved\n";
  return verdict.accepted && verdict.open.empty() ? 0 : 1;
}
