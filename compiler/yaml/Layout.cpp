#include "yaml/Layout.h"

#include "support/Utf8.h"
#include "yaml/LayoutPlaces.h"
#include "yaml/LayoutScalars.h"
#include "yaml/Words.h"

#include <algorithm>

namespace tikc::yaml {
namespace {

constexpr std::string_view blankBytes = " \t";
constexpr std::string_view gapBytes = " \t\r\n";

/// What is not a blank: a token, a comment, or a document's mark, which a directive is, too.
struct LayoutItem {
  enum class Kind : std::uint8_t { Token, Comment, Marker };
  Kind kind;
  std::uint32_t begin;
  std::uint32_t end;
  const Token* token = nullptr;

  bool is(YamlTokenKind wanted) const { return token && token->kind == wanted; }
};

class LayoutWriter {
public:
  LayoutWriter(const Source& source, const Tree& tree, const Rewritten& rewritten,
               const std::vector<Token>& tokens, const std::vector<Span>& markers)
      : text_(source.text), file_(tree.file), rewritten_(rewritten), places_(text_, tree, tokens) {
    std::size_t feed = text_.find('\n');
    lineEnd_ =
        feed != std::string_view::npos && feed > 0 && text_[feed - 1] == '\r' ? "\r\n" : "\n";
    gather(tree, tokens, markers);
  }

  std::optional<std::vector<Edit>> write() {
    if (items_.empty() || hasInnerMark())
      return std::vector<Edit>();
    auto at = static_cast<std::uint32_t>(text_.size() - utf8::withoutByteOrderMark(text_).size());
    for (std::size_t i = 0; i < items_.size() && !failed_; ++i) {
      const LayoutItem& item = items_[i];
      std::string_view gap = slice(at, item.begin);
      failed_ = gap.find_first_not_of(gapBytes) != std::string_view::npos;
      replace(at, item.begin, gapBefore(i, gap));
      replace(item.begin, item.end, textOf(item));
      enter(item);
      at = item.end;
    }
    std::string_view rest = slice(at, text_.size());
    replace(at, static_cast<std::uint32_t>(text_.size()), ending(rest));
    if (failed_ || rest.find_first_not_of(gapBytes) != std::string_view::npos)
      return std::nullopt;
    return std::move(edits_);
  }

private:
  /// Block columns that are open, as they were and as they become.
  struct Level {
    std::uint32_t before;
    std::uint32_t after;
  };

  /// Whether a value is to come, whatever comments stand before it.
  bool opensValue() const {
    return last_ && (last_->is(YamlTokenKind::Colon) || last_->is(YamlTokenKind::Dash));
  }

  std::string_view slice(std::size_t begin, std::size_t end) const {
    return text_.substr(begin, end - begin);
  }

  void gather(const Tree& tree, const std::vector<Token>& tokens,
              const std::vector<Span>& markers) {
    std::vector<LayoutItem> all;
    all.reserve(tokens.size() + tree.comments.size() + markers.size());
    for (const Token& token : tokens)
      all.push_back({LayoutItem::Kind::Token, token.begin, token.end, &token});
    for (const Comment& comment : tree.comments)
      all.push_back({LayoutItem::Kind::Comment, comment.span.begin, comment.span.end});
    for (const Span& marker : markers)
      all.push_back({LayoutItem::Kind::Marker, marker.begin, marker.end});
    std::sort(all.begin(), all.end(), [](const LayoutItem& left, const LayoutItem& right) {
      return left.begin < right.begin;
    });
    // A comment behind the header of a block scalar is part of the scalar's text.
    for (const LayoutItem& item : all)
      if (items_.empty() || items_.back().end <= item.begin)
        items_.push_back(item);
  }

  void replace(std::uint32_t begin, std::uint32_t end, std::string_view with) {
    if (slice(begin, end) != with)
      edits_.push_back({{file_, begin, end}, std::string(with)});
    std::size_t feed = with.rfind('\n');
    if (feed != std::string_view::npos) {
      line_ = with.substr(feed + 1);
    } else {
      line_ += with;
    }
  }

  // ---- Gaps ----

  std::string gapBefore(std::size_t i, std::string_view gap) {
    const LayoutItem& item = items_[i];
    auto feeds = static_cast<std::size_t>(std::count(gap.begin(), gap.end(), '\n'));
    if (i == 0)
      return std::string(columnOf(i), ' ');
    const LayoutItem& before = items_[i - 1];
    if (feeds == 0)
      return item.kind == LayoutItem::Kind::Comment ? gapBeforeComment(i, gap)
                                                    : std::string(gapWithin(before, item));
    std::string out;
    std::size_t kept = keepsFeeds(before) ? feeds : std::min<std::size_t>(feeds, 2);
    for (std::size_t feed = 0; feed < kept; ++feed)
      out += lineEnd_;
    return out.append(columnOf(i), ' ');
  }

  /// A text that begins with U+FEFF keeps it only behind a space: in the first column it is read as
  /// a byte order mark, at the beginning of a document even behind comments.
  bool hasInnerMark() const {
    return std::any_of(items_.begin(), items_.end(), [this](const LayoutItem& item) {
      return item.begin > 0 && text_.substr(item.begin).starts_with(utf8::byteOrderMark);
    });
  }

  /// Line feeds behind a block scalar that says so are its text.
  bool keepsFeeds(const LayoutItem& item) const {
    if (!item.token || (item.token->style != Style::Literal && item.token->style != Style::Folded))
      return false;
    return keepsLineFeeds(slice(item.begin, item.end));
  }

  std::string_view gapWithin(const LayoutItem& before, const LayoutItem& item) const {
    bool opensList = before.is(YamlTokenKind::FlowOpen) && text_[before.begin] == '[';
    bool opensMap = before.is(YamlTokenKind::FlowOpen) && !opensList;
    if (before.is(YamlTokenKind::Colon))
      return " "; // a value that is left out needs the blank, too
    if (item.is(YamlTokenKind::FlowClose))
      return text_[item.begin] == ']' || opensMap ? "" : " ";
    if (opensList)
      return "";
    if (opensMap)
      return " ";
    if (item.is(YamlTokenKind::Comma))
      return "";
    if (item.is(YamlTokenKind::Colon)) // `:` may be a part of an alias' name
      return before.is(YamlTokenKind::Alias) || before.is(YamlTokenKind::Comma) ? " " : "";
    return " ";
  }

  /// Keeps its distance; beside another of the same column it keeps that, where the text before it
  /// leaves room.
  std::string gapBeforeComment(std::size_t i, std::string_view gap) const {
    const LayoutItem& before = items_[i - 1];
    std::size_t feed = before.end == 0 ? std::string_view::npos : text_.rfind('\n', before.end - 1);
    std::string_view old = slice(feed == std::string_view::npos ? 0 : feed + 1, before.end);
    auto width = [](std::string_view line) {
      line = utf8::withoutByteOrderMark(line);
      line.remove_prefix(std::min(line.find_first_not_of(blankBytes), line.size()));
      return static_cast<std::ptrdiff_t>(utf8::length(line));
    };
    std::ptrdiff_t grown = isAligned(i) ? width(line_) - width(old) : 0;
    std::ptrdiff_t wanted = static_cast<std::ptrdiff_t>(gap.size()) - grown;
    return std::string(static_cast<std::size_t>(std::max<std::ptrdiff_t>(wanted, 1)), ' ');
  }

  bool isAligned(std::size_t i) const {
    auto isBeside = [&](const LayoutItem& other, const LayoutItem& item) {
      std::string_view between =
          slice(std::min(other.end, item.end), std::max(other.begin, item.begin));
      return other.kind == LayoutItem::Kind::Comment &&
             std::count(between.begin(), between.end(), '\n') == 1 &&
             character(other.begin) == character(item.begin);
    };
    auto comment = [&](std::size_t at) { return items_[at].kind == LayoutItem::Kind::Comment; };
    std::size_t last = i, next = i + 1;
    while (last > 0 && !comment(--last)) {
    }
    while (next < items_.size() && !comment(next))
      ++next;
    return (last < i && isBeside(items_[last], items_[i])) ||
           (next < items_.size() && isBeside(items_[next], items_[i]));
  }

  /// How many characters stand before it on its line.
  std::size_t character(std::uint32_t offset) const {
    return utf8::length(slice(offset - places_.columnIn(offset), offset));
  }

  std::string ending(std::string_view gap) const {
    auto feeds = static_cast<std::size_t>(std::count(gap.begin(), gap.end(), '\n'));
    const LayoutItem& last = items_.back();
    bool isBlock =
        last.token && (last.token->style == Style::Literal || last.token->style == Style::Folded);
    // The line feed after a block scalar is its text.
    if (isBlock && feeds == 0)
      return {};
    std::string out;
    for (std::size_t feed = 0; feed < (keepsFeeds(last) ? feeds : 1); ++feed)
      out += lineEnd_;
    return out;
  }

  // ---- Columns ----

  std::uint32_t columnOf(std::size_t i) {
    const LayoutItem& item = items_[i];
    if (item.kind == LayoutItem::Kind::Marker)
      return 0;
    if (flowDepth_ > 0) {
      bool closes = item.is(YamlTokenKind::FlowClose);
      return flowColumn_ + indentStep * (closes ? flowDepth_ - 1 : flowDepth_);
    }
    if (item.kind == LayoutItem::Kind::Comment)
      return columnOfComment(i);
    return columnOfToken(i);
  }

  std::uint32_t columnOfToken(std::size_t i) {
    if (items_[i].is(YamlTokenKind::Anchor))
      return columnOfAnchor(i);
    std::uint32_t begin = items_[i].begin;
    if (auto column = places_.ofEntry(begin))
      return *column;
    if (auto column = places_.ofValue(begin))
      return *column;
    failed_ = true;
    return 0;
  }

  /// It names the key behind it on its line, or else a value, which may be empty.
  std::uint32_t columnOfAnchor(std::size_t i) const {
    bool alone = i + 1 == items_.size() ||
                 slice(items_[i].end, items_[i + 1].begin).find('\n') != std::string_view::npos;
    if (auto key = alone ? std::nullopt : places_.ofEntry(items_[i + 1].begin))
      return *key;
    return opensValue() && !levels_.empty() ? levels_.back().after + indentStep : 0;
  }

  /// A comment on its own line goes with the line below if it is aligned with that, else with the
  /// block that it was indented as.
  std::uint32_t columnOfComment(std::size_t i) {
    const LayoutItem& item = items_[i];
    std::uint32_t column = places_.columnIn(item.begin);
    if (i > 0 && items_[i - 1].kind == LayoutItem::Kind::Comment &&
        places_.columnIn(items_[i - 1].begin) == column)
      return commentColumn_;
    // A block of comments may be long: what follows it is looked for once.
    if (next_ <= i)
      next_ = i + 1;
    while (next_ < items_.size() && items_[next_].kind == LayoutItem::Kind::Comment)
      ++next_;
    if (next_ < items_.size() && places_.columnIn(items_[next_].begin) == column)
      return columnOf(next_);
    Level found{0, 0};
    for (const Level& level : levels_)
      if (level.before <= column)
        found = level;
    bool opened = opensValue();
    return opened && column > found.before && !levels_.empty() ? found.after + indentStep
                                                               : found.after;
  }

  /// What is written now decides on what comes after it.
  void enter(const LayoutItem& item) {
    if (item.kind == LayoutItem::Kind::Comment) {
      std::string_view text = trimmedRight(slice(item.begin, item.end));
      commentColumn_ = static_cast<std::uint32_t>(utf8::length(
          std::string_view(line_).substr(0, line_.size() - std::min(line_.size(), text.size()))));
      return;
    }
    last_ = &item;
    if (item.kind == LayoutItem::Kind::Marker) {
      levels_.clear();
      return;
    }
    if (item.is(YamlTokenKind::FlowOpen)) {
      if (flowDepth_++ == 0) {
        auto column = places_.ofFlow(item.begin);
        failed_ = failed_ || !column;
        flowColumn_ = column.value_or(0);
      }
    } else if (item.is(YamlTokenKind::FlowClose)) {
      flowDepth_ -= flowDepth_ > 0;
    }
    if (auto column = places_.ofEntry(item.begin)) {
      std::uint32_t before = places_.columnIn(item.begin);
      while (!levels_.empty() && levels_.back().before >= before)
        levels_.pop_back();
      levels_.push_back({before, *column});
    }
  }

  // ---- Texts ----

  std::string textOf(const LayoutItem& item) const {
    std::string_view text = slice(item.begin, item.end);
    if (item.kind == LayoutItem::Kind::Comment)
      return std::string(trimmedRight(text));
    if (auto found = rewritten_.find(item.begin); item.token && found != rewritten_.end())
      return found->second;
    if (text.find('\n') == std::string_view::npos || !item.is(YamlTokenKind::Scalar))
      return std::string(text);
    bool isBlock = item.token->style == Style::Literal || item.token->style == Style::Folded;
    return isBlock ? blockText(item, text) : foldedText(item, text);
  }

  /// Of the lines after the first: never the first column, where `---` ends a document.
  std::size_t textColumn(const LayoutItem& item) const {
    return std::max(places_.ofValue(item.begin).value_or(indentStep), indentStep);
  }

  std::string blockText(const LayoutItem& item, std::string_view text) const {
    std::size_t indent = textColumn(item);
    // A header that states the indentation states it from the block that holds the scalar.
    if (statesIndent(text))
      indent = static_cast<std::size_t>(
          std::max<std::int64_t>(0, item.token->indent + places_.shift(item.begin)));
    return layOutBlock(text, item.token->indent, indent, lineEnd_);
  }

  std::string foldedText(const LayoutItem& item, std::string_view text) const {
    std::size_t indent = flowDepth_ > 0 ? flowColumn_ + indentStep * flowDepth_ : textColumn(item);
    return layOutFolded(text, item.token->style, indent, lineEnd_);
  }

  std::string_view text_;
  FileId file_;
  const Rewritten& rewritten_;
  LayoutPlaces places_;
  std::string_view lineEnd_;
  std::vector<LayoutItem> items_;
  std::vector<Edit> edits_;
  std::vector<Level> levels_;
  std::string line_; // as it becomes, up to here
  std::uint32_t flowDepth_ = 0;
  std::uint32_t flowColumn_ = 0;
  std::uint32_t commentColumn_ = 0;
  const LayoutItem* last_ = nullptr; // that is no comment
  std::size_t next_ = 0;             // the first item after the comments at hand
  bool failed_ = false;
};

} // namespace

std::optional<std::vector<Edit>> layOut(const SourceManager& sources, const Tree& tree,
                                        const Rewritten& rewritten, const Limits& limits) {
  const Source& source = sources.get(tree.file);
  Words words = wordsOf(source.text, limits);
  std::vector<Token> tokens;
  for (const DocumentText& document : words.documents)
    tokens.insert(tokens.end(), document.tokens.begin(), document.tokens.end());
  return LayoutWriter(source, tree, rewritten, tokens, words.markers).write();
}

} // namespace tikc::yaml
