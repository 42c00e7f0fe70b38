#include "verifier/Check.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>

namespace {

constexpr std::string_view help =
    "usage: tikc-verify CERTIFICATE FILE...\n\n"
    "Checks a certificate of tikc: whether every claim that it marks as proved follows from texts "
    "that stand in\n"
    "the contract files, by lemmas that this program knows. The files are given in the "
    "certificate's order.\n"
    "It shares no code with tikc: numbers, formulas and the reading of texts are its own.\n\n"
    "exit status: 0 accepted, 1 rejected, 2 wrong use or an unreadable file\n";

std::optional<std::string> contentOf(const char* path) {
  constexpr std::size_t most = 16'000'000;
  std::ifstream file(path, std::ios::binary);
  std::string out;
  char block[65536];
  while (file && out.size() <= most) {
    file.read(block, sizeof block);
    out.append(block, static_cast<std::size_t>(file.gcount()));
  }
  bool whole = !file.is_open() || file.bad() || !file.eof() || out.size() > most;
  return whole ? std::nullopt : std::optional(out);
}

} // namespace

int main(int count, char** arguments) {
  if (count == 2 &&
      (std::string_view(arguments[1]) == "--help" || std::string_view(arguments[1]) == "-h")) {
    std::cout << help;
    return 0;
  }
  if (count < 3) {
    std::cerr << help;
    return 2;
  }
  try {
    std::vector<verify::File> files;
    for (int i = 1; i < count; ++i) {
      auto content = contentOf(arguments[i]);
      if (!content) {
        std::cerr << "tikc-verify: cannot read " << arguments[i] << ", or it is above 16 MB\n";
        return 2;
      }
      files.push_back({arguments[i], std::move(*content)});
    }
    std::string certificate = std::move(files.front().content);
    files.erase(files.begin());
    verify::Verdict verdict = verify::check(certificate, files);
    (verdict.accepted ? std::cout : std::cerr) << verdict.report;
    return verdict.accepted ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "tikc-verify: " << error.what() << '\n';
    return 2;
  }
}
