#include "audit/reading/Reading.h"

#include <algorithm>

namespace tikc::audit {
namespace {

constexpr std::size_t mostNested = 64; // of $( … ) and of if … fi, of which deeper ones are one

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool endsWord(char c) {
  return isBlank(c) || c == '\n' || c == ';' || c == '&' || c == '|' || c == '(' || c == ')' ||
         c == '<' || c == '>';
}

/// Words of commands, without their quotes. Expansions stay as they are written.
class ShellReader {
public:
  ShellReader(const Snippet& text, FoundParts& out) : source_(text), text_(text.text), out_(out) {}

  /// What is opened and never closed, if anything is.
  Span run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (text_.compare(at_, 2, "\\\n") == 0) {
        at_ += 2;
      } else if (text_.compare(at_, 3, "\\\r\n") == 0) {
        at_ += 3;
      } else if (text_.compare(at_, 2, "<<") == 0 && text_.compare(at_, 3, "<<<") != 0) {
        hereDocument();
      } else if (isBlank(c) || c == '<' || c == '>') {
        ++at_;
      } else if (endsWord(c)) {
        endCommand();
        if (c == '\n')
          skipDocuments();
        else
          ++at_;
      } else {
        readWord();
      }
    }
    endCommand();
    return unclosed_;
  }

private:
  struct Condition {
    Span place;
    bool isOpen = true; // up to `then`
    bool hasElse = false;
    std::size_t firstCheck = 0;
  };

  void add(std::size_t from) {
    word_.text += text_[from];
    word_.at.push_back(source_.offset(from));
  }

  void readWord() {
    word_ = {{}, source_.file, {}, 0};
    while (at_ < text_.size() && !endsWord(text_[at_])) {
      const char c = text_[at_];
      if (text_.compare(at_, 2, "\\\n") == 0) {
        break;
      } else if (c == '\'') {
        const std::size_t from = at_;
        for (++at_; at_ < text_.size() && text_[at_] != '\''; ++at_)
          add(at_);
        close(from);
      } else if (c == '"') {
        readQuoted();
      } else if (c == '\\' && at_ + 1 < text_.size()) {
        add(at_ + 1);
        at_ += 2;
      } else if (c == '$' || c == '`') {
        readExpansion();
      } else {
        add(at_++);
      }
    }
    at_ = std::min(at_, text_.size());
    word_.at.push_back(source_.offset(at_));
    if (!word_.text.empty())
      word_.at.back() = word_.at[word_.text.size() - 1] + 1;
    take(std::move(word_));
  }

  /// Past the quote that began at `from`.
  void close(std::size_t from) {
    if (at_ >= text_.size())
      unclosed_ = source_.span(from, from + 1);
    ++at_;
  }

  void readQuoted() {
    const std::size_t from = at_;
    for (++at_; at_ < text_.size() && text_[at_] != '"';) {
      const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
      if (text_[at_] == '\\' && (next == '"' || next == '\\' || next == '$' || next == '`')) {
        add(at_ + 1);
        at_ += 2;
      } else if (text_[at_] == '\\' && next == '\n') {
        at_ += 2;
      } else if (text_.compare(at_, 2, "$(") == 0) {
        readExpansion();
      } else {
        add(at_++);
      }
    }
    close(from);
  }

  /// `$( … )` to its end, which may lie beyond quotes; what is in it belongs to another command.
  void readExpansion() {
    if (text_.compare(at_, 2, "$(") != 0 && text_.compare(at_, 2, "${") != 0) {
      add(at_++);
      return;
    }
    std::string open;
    const std::size_t from = at_;
    std::size_t taken = 0; // the sign and its bracket belong to it in any case
    do {
      const char c = text_[at_];
      if (c == '\\' && at_ + 1 < text_.size())
        add(at_++);
      else if (c == '(' || c == '{')
        open += c == '(' ? ')' : '}';
      else if (!open.empty() && c == open.back())
        open.pop_back();
      else if (c == '\'' && text_.find('\'', at_ + 1) != std::string::npos && open.back() == ')')
        for (const std::size_t end = text_.find('\'', at_ + 1); at_ < end; ++at_)
          add(at_);
      add(at_++);
    } while (at_ < text_.size() && (!open.empty() || ++taken < 2) && open.size() <= mostNested);
    if (!open.empty())
      unclosed_ = source_.span(from, from + 1);
  }

  void take(Snippet word) {
    const bool isFirst = command_.empty();
    const std::string& text = word.text;
    if (isFirst && text == "if" && conditions_.size() < mostNested) {
      conditions_.push_back({word.whole(), true, false, out_.asked.size()});
      return;
    }
    if (isFirst && !conditions_.empty() && (text == "then" || text == "elif" || text == "else")) {
      Condition& last = conditions_.back();
      last.isOpen = text == "elif";
      last.hasElse |= text == "else";
      return;
    }
    if (isFirst && text == "fi" && !conditions_.empty()) {
      endCondition();
      return;
    }
    if (isFirst && (text == "do" || text == "{" || text == "!"))
      return;
    if (!conditions_.empty() && conditions_.back().isOpen)
      conditions_.back().place = join(conditions_.back().place, word.whole());
    command_.push_back(std::move(word));
  }

  /// With another branch somebody says what happens otherwise.
  void endCondition() {
    const Condition& last = conditions_.back();
    for (std::size_t i = last.firstCheck; i < out_.asked.size(); ++i)
      if (!last.hasElse && !out_.asked[i].condition.valid())
        out_.asked[i].condition = last.place;
    conditions_.pop_back();
  }

  void endCommand() {
    for (const Snippet& word : command_)
      if (isExpression(word.text))
        out_.asked.push_back({JudgingText::How::Expression, word, {}});
    readWords(command_, out_);
    command_.clear();
  }

  /// `<<WORD`: lines up to one that is that word are no commands.
  void hereDocument() {
    at_ += text_.compare(at_, 3, "<<-") == 0 ? 3 : 2;
    while (at_ < text_.size() && isBlank(text_[at_]))
      ++at_;
    std::string word;
    for (; at_ < text_.size() && !endsWord(text_[at_]); ++at_)
      if (text_[at_] != '\'' && text_[at_] != '"' && text_[at_] != '\\')
        word += text_[at_];
    if (!word.empty())
      documents_.push_back(std::move(word));
  }
  void skipDocuments() {
    ++at_;
    for (const std::string& end : documents_)
      while (at_ < text_.size()) {
        const std::size_t stop = std::min(text_.find('\n', at_), text_.size());
        std::size_t from = at_;
        while (from < stop && text_[from] == '\t')
          ++from;
        const bool isEnd = text_.compare(from, stop - from, end) == 0;
        at_ = std::min(stop + 1, text_.size());
        if (isEnd)
          break;
      }
    documents_.clear();
  }

  const Snippet& source_;
  const std::string& text_;
  FoundParts& out_;
  std::size_t at_ = 0;
  Snippet word_;
  std::vector<Snippet> command_;
  std::vector<Condition> conditions_;
  std::vector<std::string> documents_;
  Span unclosed_;
};

} // namespace

Span readShell(const Snippet& text, FoundParts& out) { return ShellReader(text, out).run(); }

} // namespace tikc::audit
