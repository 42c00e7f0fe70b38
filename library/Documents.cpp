#include "library/Handles.h"
#include "tikc/Version.h"

#include <string>

using namespace tikc;
using namespace tikc::library;

namespace {

tikc_status isDocument(const tikc_document* document) {
  return c::is_object<DocumentRef>(document);
}
const Document& documentAt(const tikc_document* document) {
  return *c::object<DocumentRef>(document);
}

std::uint32_t number(std::size_t count) { return static_cast<std::uint32_t>(count); }

/// The finding, and what `part` has of it, by number.
tikc_status isFinding(const tikc_document* document, std::uint32_t finding) {
  const tikc_status wrong = isDocument(document);
  return wrong != TIKC_OK ? wrong : c::is_below(finding, documentAt(document).findings().size());
}
template <class Part>
tikc_status isPart(const tikc_document* document, std::uint32_t finding, std::uint32_t which,
                   Part diag::Diagnostic::*parts) {
  const tikc_status wrong = isFinding(document, finding);
  return wrong != TIKC_OK
             ? wrong
             : c::is_below(which, (documentAt(document).findings()[finding].*parts).size());
}

template <class Read> tikc_status open(tikc_document** out, Read&& read) {
  auto document = std::make_unique<Document>();
  const tikc_status status = read(*document);
  const tikc_status made = create<DocumentRef>(out, std::move(document));
  return made != TIKC_OK ? made : status;
}

std::uint32_t verdictOf(const std::string& word) {
  return word == "proved" ? TIKC_PROVED : word == "refuted" ? TIKC_REFUTED : TIKC_UNPROVED;
}

std::uint32_t weightOf(diag::Severity severity) {
  return severity == diag::Severity::Error     ? TIKC_ERROR
         : severity == diag::Severity::Warning ? TIKC_WARNING
                                               : TIKC_NOTE;
}

} // namespace

extern "C" {

uint32_t tikc_abi(void) noexcept {
  static_assert(TIKC_C_ABI == 7 && TIKC_ABI == 4, "another TIKC_C_ABI is another TIKC_ABI");
  return TIKC_ABI;
}

const char* tikc_version(void) noexcept { return versionString.data(); }

const char* tikc_status_name(uint32_t status) noexcept { return c::status_name(status); }

tikc_status tikc_open(const char* path, tikc_document** out) noexcept {
  return guarded([&] {
    const tikc_status wrong = c::first_wrong(c::points_to(path), c::points_to(out));
    return wrong != TIKC_OK
               ? wrong
               : open(out, [&](Document& document) { return document.readPath(path); });
  });
}

tikc_status tikc_read(const char* text, size_t size, const char* name,
                      tikc_document** out) noexcept {
  return guarded([&] {
    const tikc_status wrong = c::first_wrong(c::has_bytes(text, size), c::points_to(out));
    return wrong != TIKC_OK ? wrong : open(out, [&](Document& document) {
      return document.readText(size == 0 ? std::string_view() : std::string_view(text, size),
                               name == nullptr ? "" : name);
    });
  });
}

tikc_status tikc_document_destroy(tikc_document* document) noexcept {
  return destroy<DocumentRef>(document);
}

const char* tikc_document_message(const tikc_document* document) noexcept {
  return isDocument(document) == TIKC_OK ? documentAt(document).message().c_str() : nullptr;
}

tikc_status tikc_document_counts(const tikc_document* document, uint32_t* diagnostics,
                                 uint32_t* claims, uint32_t* contracts) noexcept {
  const tikc_status wrong = c::first_wrong(isDocument(document), c::points_to(diagnostics),
                                           c::points_to(claims), c::points_to(contracts));
  return c::when_right(wrong, [&] {
    *diagnostics = number(documentAt(document).findings().size());
    *claims = number(documentAt(document).claims().size());
    *contracts = number(documentAt(document).contracts().size());
  });
}

tikc_status tikc_document_diagnostic(const tikc_document* document, uint32_t diagnostic,
                                     tikc_diagnostic* out) noexcept {
  return c::when_right(c::first_wrong(isFinding(document, diagnostic), c::points_to(out)), [&] {
    const diag::Diagnostic& each = documentAt(document).findings()[diagnostic];
    const diag::CodeInfo& row = diag::info(each.code);
    *out = {row.id.data(), // document the catalogue, which has them in full
            row.name.data(),
            each.message.c_str(),
            each.label.c_str(),
            documentAt(document).place(each.span),
            weightOf(each.severity),
            number(each.notes.size()),
            number(each.related.size()),
            number(each.fixes.size())};
  });
}

tikc_status tikc_document_note(const tikc_document* document, uint32_t diagnostic, uint32_t note,
                               const char** out) noexcept {
  const tikc_status wrong = isPart(document, diagnostic, note, &diag::Diagnostic::notes);
  return c::when_right(c::first_wrong(wrong, c::points_to(out)), [&] {
    *out = documentAt(document).findings()[diagnostic].notes[note].c_str();
  });
}

tikc_status tikc_document_related(const tikc_document* document, uint32_t diagnostic,
                                  uint32_t related, tikc_related* out) noexcept {
  const tikc_status wrong = isPart(document, diagnostic, related, &diag::Diagnostic::related);
  return c::when_right(c::first_wrong(wrong, c::points_to(out)), [&] {
    const diag::RelatedPlace& each = documentAt(document).findings()[diagnostic].related[related];
    *out = {each.message.c_str(), documentAt(document).place(each.span)};
  });
}

tikc_status tikc_document_fix(const tikc_document* document, uint32_t diagnostic, uint32_t fix,
                              tikc_fix* out) noexcept {
  const tikc_status wrong = isPart(document, diagnostic, fix, &diag::Diagnostic::fixes);
  return c::when_right(c::first_wrong(wrong, c::points_to(out)), [&] {
    const diag::Fix& each = documentAt(document).findings()[diagnostic].fixes[fix];
    *out = {each.title.c_str(), each.safe ? 1U : 0U, number(each.edits.size())};
  });
}

tikc_status tikc_document_edit(const tikc_document* document, uint32_t diagnostic, uint32_t fix,
                               uint32_t edit, tikc_edit* out) noexcept {
  tikc_status wrong = isPart(document, diagnostic, fix, &diag::Diagnostic::fixes);
  if (wrong == TIKC_OK)
    wrong = c::first_wrong(
        c::is_below(edit, documentAt(document).findings()[diagnostic].fixes[fix].edits.size()),
        c::points_to(out));
  return c::when_right(wrong, [&] {
    const Edit& each = documentAt(document).findings()[diagnostic].fixes[fix].edits[edit];
    *out = {each.text.c_str(), documentAt(document).place(each.span)};
  });
}

tikc_status tikc_document_claim(const tikc_document* document, uint32_t claim,
                                tikc_claim* out) noexcept {
  tikc_status wrong = isDocument(document);
  if (wrong == TIKC_OK)
    wrong =
        c::first_wrong(c::is_below(claim, documentAt(document).claims().size()), c::points_to(out));
  return c::when_right(wrong, [&] {
    const Document::Claim& each = documentAt(document).claims()[claim];
    *out = {each.verdict.contract.c_str(), each.verdict.claim.c_str(),
            each.verdict.budget.c_str(),   each.verdict.bound.c_str(),
            each.verdict.slack.c_str(),    each.slices.data(),
            number(each.slices.size()),    verdictOf(each.verdict.verdict),
            each.verdict.isDraft ? 1U : 0U};
  });
}

tikc_status tikc_document_write_json(const tikc_document* document, tikc_sink sink,
                                     void* context) noexcept {
  return guarded([&] {
    const tikc_status wrong = c::first_wrong(isDocument(document), c::calls_back(sink != nullptr));
    return c::when_right(wrong, [&] {
      const std::string text = documentAt(document).json();
      sink(text.data(), text.size(), context);
    });
  });
}

tikc_status tikc_document_contract(const tikc_document* document, uint32_t contract,
                                   tikc_contract** out) noexcept {
  return guarded([&] {
    tikc_status wrong = isDocument(document);
    if (wrong == TIKC_OK)
      wrong = c::first_wrong(c::is_below(contract, documentAt(document).contracts().size()),
                             c::points_to(out));
    if (wrong != TIKC_OK)
      return wrong;
    const ContractRef& found = documentAt(document).contracts()[contract].contract;
    return found ? create<ContractRef>(out, found) : TIKC_REFUSED;
  });
}

tikc_status tikc_document_refusal(const tikc_document* document, uint32_t contract,
                                  const char** out) noexcept {
  tikc_status wrong = isDocument(document);
  if (wrong == TIKC_OK)
    wrong = c::first_wrong(c::is_below(contract, documentAt(document).contracts().size()),
                           c::points_to(out));
  return c::when_right(wrong,
                       [&] { *out = documentAt(document).contracts()[contract].refusal.c_str(); });
}

} // extern "C"
