#include "ide/completion/Words.h"

#include "syntax/Encoding.h"

namespace tikc::ide {

const syntax::DocumentText* Words::documentAt(std::uint32_t offset) const {
  for (const syntax::DocumentText& document : documents)
    if (offset < document.end)
      return &document;
  return documents.empty() ? nullptr : &documents.back();
}

Words wordsOf(std::string_view text) {
  static constexpr Limits limits;
  Words out;
  diag::Sink sink(limits);
  syntax::FeedText feed(text);
  FileId file{};
  if (!syntax::checkEncoding(file, feed, sink))
    return out;
  syntax::Scanner scanner(file, feed, limits, sink, out.comments);
  for (syntax::DocumentText document; scanner.next(document);)
    out.documents.push_back(std::move(document));
  out.faults = sink.take();
  return out;
}

} // namespace tikc::ide
