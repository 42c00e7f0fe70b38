#pragma once

#include "diag/report/Report.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tikc::diag::testing {

/// Findings in places that are hard to write down: odd file names, odd characters, odd spans.
class SampleReport {
public:
  SampleReport() {
    FileId plain =
        add("contracts/plain.tikc.yaml", "tikc: v1\nmodel:\n  hozizon: 4096 tokens\nmodel: {}\n");
    FileId odd = add("./a dir/ü 100%,x:\"y\"<z>&'\xF0\x9F\x98\x80'.tikc.yaml",
                     "\xEF\xBB\xBFsummary: \xE4\xB8\xAD\xE6\x96\x87 e\xCC\x81 \xF0\x9F\x98\x80 "
                     "tail\r\n\ttabbed: [1, 2]\r\nlast");
    FileId bytes = add("bad\xFF\nname\x01]]>.yaml", "a: \xE2\x80\xAE\x1B[31m evil\nb: \xC3\n");
    FileId clean = add("clean.tikc.yaml", "tikc: v1\n");
    FileId input = add("<stdin>", "a: 1\n");
    checked_ = {plain, odd, bytes, clean, input};

    finding(diag::Code::UnknownKey, at(plain, "hozizon"), "unknown key `hozizon` in `model`")
        .withLabel("did you mean `horizon`?")
        .note("keys are a closed list: a [bracketed](1) word and a back\\slash")
        .relatedTo(at(plain, "model"), "this [map]")
        .relatedTo(at(odd, "tabbed: [1, 2]"), "and a place in another file")
        .fix("write `horizon`", {{at(plain, "hozizon"), "horizon"}});
    finding(diag::Code::ExclusiveKeys, at(plain, "model:\n  hozizon: 4096 tokens\nmodel: {}"),
            "both of them")
        .unsafeFix("merge the two",
                   {{at(plain, "model: {}\n"), ""},
                    {at(plain, "4096 tokens"), "\"8192 tokens\"\n  temperature: 1"}});
    finding(diag::Code::MissingKey, {plain, 0, 0}, "lacks `version`")
        .fix("add it", {{{plain, 0, 0}, "version: 1.0.0\n"}});
    finding(diag::Code::UnknownWord, at(odd, "\xE4\xB8\xAD\xE6\x96\x87 e\xCC\x81 \xF0\x9F\x98\x80"),
            "`\xE4\xB8\xAD\xE6\x96\x87` is no word")
        .withLabel("100% wrong,\r\nin: two ways");
    finding(diag::Code::WrongKind, at(odd, "[1, 2]"), "a list \xE2\x80\xAE, found \xF0\x9F\x98\x80")
        .severity = diag::Severity::Warning;
    auto end = static_cast<std::uint32_t>(sources_.get(odd).text.size());
    finding(diag::Code::WrongKind, {odd, end, end}, "found the end").severity =
        diag::Severity::Note;
    finding(diag::Code::MalformedName, at(bytes, "\xE2\x80\xAE\x1B[31m evil"), "a \x01 name \xFF")
        .fix("edit two files", {{at(bytes, "evil"), "good\x02"}, {at(plain, "v1"), "v2"}});
    finding(diag::Code::MalformedName, at(bytes, "\xC3"), "half a character");
    finding(diag::Code::MissingKey, at(input, "a"), "lacks `tikc`");
    finding(diag::Code::MissingKey, at(input, "a"), "lacks `contract`");
  }

  Report report() const { return {sources_, diagnostics_, checked_, 4, "1.2.3"}; }

private:
  FileId add(std::string name, std::string text) {
    return sources_.add(std::move(name), {}, std::move(text));
  }

  Span at(FileId file, std::string_view part) const {
    auto begin = static_cast<std::uint32_t>(sources_.get(file).text.find(part));
    return {file, begin, begin + static_cast<std::uint32_t>(part.size())};
  }

  diag::Diagnostic& finding(diag::Code code, const Span& span, std::string message) {
    diagnostics_.push_back({code, info(code).severity, span, std::move(message), {}, {}, {}, {}});
    return diagnostics_.back();
  }

  SourceManager sources_;
  std::vector<diag::Diagnostic> diagnostics_;
  std::vector<FileId> checked_;
};

} // namespace tikc::diag::testing
