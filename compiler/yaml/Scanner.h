#pragma once

#include "diag/Sink.h"
#include "support/Limits.h"
#include "support/Source.h"
#include "yaml/FeedText.h"
#include "yaml/Tree.h"

#include <array>
#include <set>

namespace tikc::yaml {

enum class YamlTokenKind : std::uint8_t {
  Scalar,
  Alias,
  Anchor,
  FlowOpen,
  FlowClose,
  Dash,
  Comma,
  Colon
};

/// A token of YAML. Whitespace, comments and document marks are not tokens.
struct Token {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t indent = 0; // for a block scalar: the spaces removed from each line
  YamlTokenKind kind = YamlTokenKind::Scalar;
  Style style = Style::Plain;
  bool key = false;     // a `:` follows on the same line
  bool invalid = false; // already reported
  bool folded = false;  // it has several lines
};

/// One document of the stream. The documents' ranges are adjacent and cover the file.
struct DocumentText {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t feedBegin = 0; // the start of the YAML parser's input
  std::uint32_t feedEnd = 0;
  std::vector<Token> tokens;
  bool recovered = false; // painting over a fault may have changed the structure: later
                          // faults may be echoes
  bool cut = false;       // a limit ended it at feedEnd
  bool untouched = false; // nothing was reported or painted over so far
};

/// Our own pass over the raw text. It finds the documents, the comments and the exact extent of
/// every token. It reports what the YAML parser would accept silently, misplace, or hang on. It
/// knows tokens, not structure, which is the parser's.
class Scanner {
public:
  Scanner(FileId file, FeedText& feed, const Limits& limits, diag::Sink& sink,
          std::vector<Comment>& comments);

  /// Reads the next document. Returns false at the end of the file.
  bool next(DocumentText& document);
  /// The document marks so far, `---` and `...`, and directives.
  const std::vector<Span>& markers() const { return markers_; }

private:
  struct Flow {
    std::uint32_t token; // its index
    char open;
  };
  struct Indent {
    std::int64_t column;
    bool sequence;
  };

  // Scanner.cpp: documents and lines.
  bool preamble();
  void directive(std::uint32_t end);
  void reportUnmarked();
  bool atMarker(std::uint32_t at) const;
  std::uint32_t findMarker(std::uint32_t from) const;
  std::uint32_t lineEnd(std::uint32_t at) const;
  std::uint32_t afterBreak(std::uint32_t at) const;
  std::uint32_t trimmed(std::uint32_t begin, std::uint32_t end) const;
  bool firstOnLine(std::uint32_t at) const;
  bool keyPosition() const;
  /// Returns the end of a value on this line: before a comment or a flow indicator.
  std::uint32_t restOfValue(std::uint32_t from) const;
  bool skipToToken();
  void comment();
  void tabs(std::uint32_t begin, std::uint32_t end);
  void popIndents();
  void pushIndent(std::int64_t column, bool sequence);
  void add(const Token& token);
  void add(YamlTokenKind kind, std::uint32_t begin, std::uint32_t end, bool invalid = false);
  void stopAt(std::uint32_t at);

  // ScannerTokens.cpp: everything except scalars.
  void token();
  bool indicator(char c);
  void anchor();
  void alias();
  void tag();
  std::uint32_t nameEnd(std::uint32_t from) const;
  void flowOpen();
  void flowClose();
  bool escapesFlow() const;
  void reportUnclosed(std::size_t flow);
  bool nameComment(diag::Diagnostic& finding, std::uint32_t open, char close) const;
  void collapse(std::uint32_t firstToken, std::uint32_t end);
  void comma();
  void colon();
  void complexKey();
  void explicitKey();
  void reserved();

  // ScannerScalars.cpp: extents of scalars.
  void plain();
  std::uint32_t plainLineEnd(std::uint32_t from) const;
  std::uint32_t continuation(std::uint32_t lineEnd, std::int64_t minimum);
  bool splitValue(Token& scalar, std::uint32_t stop);
  std::uint32_t wholeValue(std::uint32_t begin) const;
  void quoted(char quote);
  std::uint32_t escape(std::uint32_t at, Token& scalar);
  std::uint32_t badEscape(std::uint32_t at, std::uint32_t size, Token& scalar,
                          const std::string& replacement);
  void afterQuote(Token& scalar);
  void unclosedQuote(std::uint32_t open);
  void blockScalar();
  void blockBody(Token& scalar, std::uint32_t minimum, bool detect);
  void hideBehindAnchor(const Token& scalar);
  void dropBlanks(std::uint32_t begin, std::uint32_t end, std::uint32_t indent);
  void invalidate(Token& scalar, std::uint32_t end);

  template <typename Kind, typename... Arguments>
  diag::Diagnostic& fault(std::uint32_t begin, std::uint32_t end, const Arguments&... arguments) {
    if (++faults_ > limits_.findings)
      stop_ = true;
    return sink_.report<Kind>(span(begin, end), arguments...);
  }

  bool inFlow() const { return !flows_.empty(); }
  bool blank(std::uint32_t at) const {
    return at < size_ && (text()[at] == ' ' || text()[at] == '\t');
  }
  bool lineBreak(std::uint32_t at) const {
    return at >= size_ || text()[at] == '\n' ||
           (text()[at] == '\r' && at + 1 < size_ && text()[at + 1] == '\n');
  }
  bool blankOrBreak(std::uint32_t at) const { return blank(at) || lineBreak(at); }
  char at(std::uint32_t i) const { return i < size_ ? text()[i] : '\0'; }
  std::string_view text() const { return feed_.view(); }
  std::string_view slice(std::uint32_t begin, std::uint32_t end) const {
    return text().substr(begin, end - begin);
  }
  Span span(std::uint32_t begin, std::uint32_t end) const { return {file_, begin, end}; }
  std::int64_t column(std::uint32_t at) const { return std::int64_t{at} - lineStart_; }

  FileId file_;
  FeedText& feed_;
  const Limits& limits_;
  diag::Sink& sink_;
  std::vector<Comment>& comments_;
  std::vector<Span> markers_;

  std::uint32_t size_;
  std::uint32_t pos_;
  std::uint32_t lineStart_;
  std::uint32_t documents_ = 0;
  std::uint32_t faults_ = 0;
  bool explicit_ = false; // this document began with ---
  bool stop_ = false;     // skip the rest of this document

  DocumentText* document_ = nullptr;
  std::vector<Flow> flows_;
  std::vector<Indent> indents_; // of the open block collections
  std::set<std::string_view> anchors_;
  std::array<std::uint32_t, 8> counts_{}; // the number of tokens of each kind
};

/// Returns a text in single quotes.
std::string singleQuoted(std::string_view text);

} // namespace tikc::yaml
