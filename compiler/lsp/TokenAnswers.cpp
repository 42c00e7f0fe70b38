#include "lsp/TokenAnswers.h"

namespace tikc::lsp {

const Session::Tokens& freshTokens(Session& session, const Target& target) {
  const Document& document = *target.document;
  Range all{0, static_cast<std::uint32_t>(document.text.size())};
  Session::Tokens& out = session.tokens[document.uri];
  out.numbers = semanticTokens(session.outlines.of(document), *target.analysis,
                               session.documents.encoding(), all);
  out.id = std::to_string(++session.tokenAnswers);
  return out;
}

json::Array numbers(const std::vector<std::uint32_t>& list) {
  json::Array out;
  out.reserve(list.size());
  for (std::uint32_t number : list)
    out.push_back(number);
  return out;
}

} // namespace tikc::lsp
