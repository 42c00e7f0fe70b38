#pragma once

#include "yaml/YamlReader.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace tikc::yaml {

/// A text, what was read of it, and what was found.
struct YamlReading {
  explicit YamlReading(std::string text, Limits given = {}) : limits(given) {
    file = sources.add("test.tikc.yaml", {}, std::move(text));
    diag::Sink sink(limits);
    tree = readYaml(sources, file, limits, sink);
    findings = sink.take();
  }

  std::string_view at(const Span& span) const { return sources.text(span); }
  const Node& root(std::size_t document = 0) const { return *tree.documents.at(document).root; }
  const Node& value(std::string_view key) const {
    const Node* node = root().find(key);
    static const Node none;
    EXPECT_NE(node, nullptr) << key;
    return node ? *node : none;
  }
  /// "TK1002 2:1-2:2", one a finding.
  std::vector<std::string> places() const {
    std::vector<std::string> out;
    for (const auto& found : findings) {
      Position a = sources.position(file, found.span.begin);
      Position b = sources.position(file, found.span.end);
      out.push_back(std::string(diag::info(found.code).id) + " " + std::to_string(a.line) + ":" +
                    std::to_string(a.column) + "-" + std::to_string(b.line) + ":" +
                    std::to_string(b.column));
    }
    return out;
  }
  /// The text with every finding's first fix applied.
  std::string fixed() const {
    std::vector<diag::Edit> edits;
    for (const auto& found : findings)
      if (!found.fixes.empty())
        edits.insert(edits.end(), found.fixes[0].edits.begin(), found.fixes[0].edits.end());
    std::string text = sources.get(file).text;
    for (auto it = edits.rbegin(); it != edits.rend(); ++it)
      text.replace(it->span.begin, it->span.size(), it->text);
    return text;
  }

  Limits limits;
  SourceManager sources;
  FileId file;
  Tree tree;
  std::vector<diag::Diagnostic> findings;
};

inline std::string repeat(std::string_view piece, std::size_t times) {
  std::string out;
  out.reserve(piece.size() * times);
  for (std::size_t i = 0; i < times; ++i)
    out += piece;
  return out;
}

} // namespace tikc::yaml
