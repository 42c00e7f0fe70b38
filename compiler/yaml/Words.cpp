#include "yaml/Words.h"

#include "yaml/Encoding.h"

namespace tikc::yaml {

const DocumentText* Words::documentAt(std::uint32_t offset) const {
  for (const DocumentText& document : documents)
    if (offset < document.end)
      return &document;
  return documents.empty() ? nullptr : &documents.back();
}

Words wordsOf(std::string_view text, const Limits& limits) {
  Words out;
  diag::Sink sink(limits);
  FeedText feed(text);
  FileId file{};
  if (!checkEncoding(file, feed, sink))
    return out;
  Scanner scanner(file, feed, limits, sink, out.comments);
  for (DocumentText document; scanner.next(document);)
    out.documents.push_back(std::move(document));
  out.markers = scanner.markers();
  out.faults = sink.take();
  return out;
}

} // namespace tikc::yaml
