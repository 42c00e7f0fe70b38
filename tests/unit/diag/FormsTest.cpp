#include "diag/report/Report.h"
#include "unit/diag/Fixture.h"

#include <llvm/Support/JSON.h>

#include <set>

namespace tikc::diag::testing {
namespace {

namespace json = llvm::json;
using diag::Code;
using diag::Diagnostic;
using diag::Severity;

class FormsTest : public diag::testing::Fixture {
protected:
  std::string rendered(Format format, std::vector<Diagnostic> found,
                       const RenderOptions& options = {}) {
    std::vector<FileId> checked;
    for (std::size_t i = 0; i < sources_.size(); ++i)
      checked.push_back(static_cast<FileId>(i));
    return render(format, {sources_, found, checked, 1, "9.8.7"}, options);
  }

  static json::Value parsed(const std::string& text) {
    auto value = json::parse(text);
    EXPECT_TRUE(static_cast<bool>(value));
    return value ? std::move(*value)
                 : (llvm::consumeError(value.takeError()), json::Value(nullptr));
  }

  /// Follows keys and indices, as in "runs/0/results".
  static const json::Value& in(const json::Value& value, llvm::StringRef path) {
    const json::Value* here = &value;
    llvm::SmallVector<llvm::StringRef> steps;
    path.split(steps, '/');
    for (llvm::StringRef step : steps) {
      std::size_t index = 0;
      if (const json::Object* object = here->getAsObject())
        here = object->get(step);
      else if (const json::Array* array = here->getAsArray();
               array && !step.getAsInteger(10, index) && index < array->size())
        here = &(*array)[index];
      else
        here = nullptr;
      if (!here) {
        static const json::Value absent(nullptr);
        ADD_FAILURE() << "no " << step.str() << " of " << path.str();
        return absent;
      }
    }
    return *here;
  }

  static json::Value value(llvm::StringRef text) { return llvm::cantFail(json::parse(text)); }
};

TEST_F(FormsTest, TheTableNamesEachFormatOnce) {
  std::set<std::string_view> names;
  for (const FormatInfo& row : formats()) {
    EXPECT_TRUE(names.insert(row.name).second);
    EXPECT_EQ(findFormat(row.name), row.format);
    EXPECT_FALSE(row.summary.empty());
  }
  EXPECT_EQ(names, (std::set<std::string_view>{"text", "json", "sarif", "github", "gitlab",
                                               "rdjson", "junit"}));
  EXPECT_EQ(findFormat("TEXT"), std::nullopt);
}

TEST_F(FormsTest, EmptyReportsAreWhole) {
  EXPECT_EQ(rendered(Format::Github, {}), "");
  EXPECT_EQ(rendered(Format::Gitlab, {}), "[]\n");
  EXPECT_EQ(in(parsed(rendered(Format::Json, {})), "diagnostics"), json::Value(json::Array()));
  EXPECT_EQ(in(parsed(rendered(Format::Rdjson, {})), "diagnostics"), json::Value(json::Array()));
  EXPECT_EQ(in(parsed(rendered(Format::Sarif, {})), "runs/0/results"), json::Value(json::Array()));
  EXPECT_EQ(rendered(Format::Junit, {}),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n</testsuites>\n");
}

TEST_F(FormsTest, JsonIsTheDocumentedShape) {
  add("\xEF\xBB\xBF"
      "a: \xC3\xBC z\n",
      "./d/a.tikc.yaml");
  Diagnostic d = error(at("z"));
  d.withLabel("here").note("n").relatedTo(at("a"), "there").fix("do", {{at("z"), "y"}});
  EXPECT_EQ(parsed(rendered(Format::Json, {d})), value(R"({
    "version": 1,
    "tool": {"name": "tikc", "version": "9.8.7"},
    "summary": {"errors": 1, "warnings": 0, "notes": 0, "files": 1, "contracts": 1,
                "recorded": 0},
    "claims": [],
    "diagnostics": [{
      "code": "TK2001", "name": "UnknownKey", "severity": "error", "message": "wrong", "label": "here",
      "file": "./d/a.tikc.yaml",
      "range": {"start": {"line": 1, "column": 6, "offset": 9}, "end": {"line": 1, "column": 7, "offset": 10}},
      "notes": ["n"],
      "related": [{"message": "there", "file": "./d/a.tikc.yaml",
        "range": {"start": {"line": 1, "column": 1, "offset": 3}, "end": {"line": 1, "column": 2, "offset": 4}}}],
      "fixes": [{"title": "do", "safe": true, "edits": [{"file": "./d/a.tikc.yaml", "text": "y",
        "range": {"start": {"line": 1, "column": 6, "offset": 9}, "end": {"line": 1, "column": 7, "offset": 10}}}]}]
    }]
  })"));
}

TEST_F(FormsTest, NamesAndTextThatAreNotUtf8StillMakeJson) {
  add("a: 1\n", "x\xFFy");
  for (Format format : {Format::Json, Format::Sarif, Format::Gitlab, Format::Rdjson})
    parsed(rendered(format, {error(at("a"), "m\xC3")}));
}

TEST_F(FormsTest, GithubEscapesDataAndProperties) {
  add("a: 1\nb: 2\n", "./d/50%,a:b.yaml");
  EXPECT_EQ(rendered(Format::Github, {error(at("1"), "100%: a, b\r\nc::d").note("n")}),
            "::error file=d/50%25%2Ca%3Ab.yaml,line=1,endLine=1,col=4,endColumn=5,title=tikc "
            "TK2001 UnknownKey::"
            "100%25: a, b%0D%0Ac::d%0Anote: n\n");
  Diagnostic two = error(at("1\nb"));
  two.severity = Severity::Note;
  EXPECT_EQ(
      rendered(Format::Github, {two}),
      "::notice file=d/50%25%2Ca%3Ab.yaml,line=1,endLine=2,title=tikc TK2001 UnknownKey::wrong\n");
}

TEST_F(FormsTest, FingerprintsFollowTheLineAndNotItsNumber) {
  auto fingerprint = [&](const std::string& document, std::size_t index) {
    return in(parsed(document), std::to_string(index) + "/fingerprint");
  };
  add("x: 1\n");
  std::string before = rendered(Format::Gitlab, {error(at("x"))});
  add("new: 0\n\n  x: 1\n", "a.tikc.yaml");
  std::string after = rendered(Format::Gitlab, {error(at("x")), error(at("1")), error(at("new"))});
  EXPECT_EQ(fingerprint(before, 0), fingerprint(after, 0));
  EXPECT_NE(fingerprint(after, 0), fingerprint(after, 1));
  EXPECT_NE(fingerprint(after, 0), fingerprint(after, 2));
  add("x: 1\n", "b.tikc.yaml");
  EXPECT_NE(fingerprint(before, 0), fingerprint(rendered(Format::Gitlab, {error(at("x"))}), 0));
}

TEST_F(FormsTest, RdjsonCountsBytes) {
  add("\xEF\xBB\xBF"
      "\xC3\xBC: 1\n\xF0\x9F\x98\x80: 2\n");
  json::Value document = parsed(rendered(Format::Rdjson, {error(at("1")), error(at("2"))}));
  EXPECT_EQ(in(document, "diagnostics/0/location/range"),
            value(R"({"start": {"line": 1, "column": 8}, "end": {"line": 1, "column": 9}})"));
  EXPECT_EQ(in(document, "diagnostics/1/location/range"),
            value(R"({"start": {"line": 2, "column": 7}, "end": {"line": 2, "column": 8}})"));
}

TEST_F(FormsTest, RdjsonMakesOneSuggestionOfAFix) {
  add("a: 1\nb: 2\nc: 3\n");
  Diagnostic d = error(at("a"));
  d.fix("both, out of order", {{at("3"), "three"}, {at("a"), "A"}, {bytes(5, 5), "new: 0\n"}});
  d.fix("nothing", {});
  EXPECT_EQ(in(parsed(rendered(Format::Rdjson, {d})), "diagnostics/0/suggestions"), value(R"([{
    "range": {"start": {"line": 1, "column": 1}, "end": {"line": 3, "column": 5}},
    "text": "A: 1\nnew: 0\nb: 2\nc: three"}])"));

  Span first = at("a");
  add("other: 1\n", "b.tikc.yaml");
  Diagnostic across = error(first);
  across.fix("of two files", {{first, "A"}, {at("other"), "B"}});
  EXPECT_EQ(in(parsed(rendered(Format::Rdjson, {across})), "diagnostics/0/suggestions"),
            json::Value(json::Array()));

  add("a: 1\n" + std::string(1 << 20, '#') + "\nz: 1\n", "c.tikc.yaml");
  Diagnostic far = error(at("a"));
  far.fix("far apart", {{at("a"), "A"}, {at("z"), "Z"}});
  EXPECT_EQ(in(parsed(rendered(Format::Rdjson, {far})), "diagnostics/0/suggestions"),
            json::Value(json::Array()));
}

TEST_F(FormsTest, SarifEscapesPathsAndMessages) {
  add("a: 1\n", "./x y/[a]%\xC3\xBC:b.yaml");
  Diagnostic d = error(at("a"), "in [0, 1](2) \\ x");
  d.relatedTo(at("1"), "the [bound]");
  json::Value document = parsed(rendered(Format::Sarif, {d}));
  const json::Value& result = in(document, "runs/0/results/0");
  EXPECT_EQ(in(result, "message/text"), "in \\[0, 1\\](2) \\\\ x\n[the \\[bound\\]](1)");
  EXPECT_EQ(
      in(result, "locations/0/physicalLocation/artifactLocation"),
      value(R"({"uri": "x%20y/%5Ba%5D%25%C3%BC%3Ab.yaml", "uriBaseId": "%SRCROOT%", "index": 0})"));

  add("a: 1\n", "/abs/a b.yaml");
  document = parsed(rendered(Format::Sarif, {error(at("a"))}));
  EXPECT_EQ(in(document, "runs/0/results/0/locations/0/physicalLocation/artifactLocation"),
            value(R"({"uri": "file:///abs/a%20b.yaml", "index": 1})"));
}

TEST_F(FormsTest, FindingsLinkToThePageOfTheirCodeWhereItIsPublished) {
  add("a: 1\n");
  RenderOptions options;
  EXPECT_EQ(rendered(Format::Sarif, {error(at("a"))}).find("helpUri"), std::string::npos);
  options.codesPage = "https://example.org/codes.html";
  json::Value page("https://example.org/codes.html#tk2001-unknownkey");
  json::Value sarif = parsed(rendered(Format::Sarif, {error(at("a"))}, options));
  EXPECT_EQ(in(sarif, "runs/0/tool/driver/rules/0/helpUri"), page);
  json::Value rdjson = parsed(rendered(Format::Rdjson, {error(at("a"))}, options));
  EXPECT_EQ(in(rdjson, "diagnostics/0/code/url"), page);
}

TEST_F(FormsTest, SarifFixesNameWhatTheyDelete) {
  add("\xEF\xBB\xBF"
      "\xF0\x9F\x98\x80: 1\n");
  Diagnostic d = error(at("1"));
  d.unsafeFix("write [two]", {{at("1"), "2"}, {bytes(10, 10), "!"}});
  EXPECT_EQ(in(parsed(rendered(Format::Sarif, {d})), "runs/0/results/0/fixes"), value(R"([{
    "description": {"text": "write \\[two\\]"},
    "artifactChanges": [{"artifactLocation": {"uri": "a.tikc.yaml", "uriBaseId": "%SRCROOT%", "index": 0},
      "replacements": [
        {"deletedRegion": {"startLine": 1, "startColumn": 4, "endLine": 1, "endColumn": 5}, "insertedContent": {"text": "2"}},
        {"deletedRegion": {"startLine": 1, "startColumn": 5, "endLine": 1, "endColumn": 5}, "insertedContent": {"text": "!"}}]}],
    "properties": {"safe": false}}])"));
}

TEST_F(FormsTest, SarifSaysWhatItLeavesOut) {
  add("a: 1\n");
  Diagnostic note = error(at("a"));
  note.severity = Severity::Note;
  auto results = [](std::string_view text) {
    std::size_t count = 0;
    for (std::size_t i = text.find("\"ruleId\""); i != text.npos;
         i = text.find("\"ruleId\"", i + 1))
      ++count;
    return count;
  };
  std::vector<Diagnostic> found(25'000, note);
  std::string full = rendered(Format::Sarif, found);
  EXPECT_EQ(results(full), 25'000u);
  EXPECT_EQ(full.find("toolExecutionNotifications"), std::string::npos);

  found.push_back(error(at("1"), "the last is the worst"));
  std::string cut = rendered(Format::Sarif, found);
  EXPECT_EQ(results(cut), 25'000u);
  EXPECT_NE(cut.find("Of 25001 findings the 25000 most severe are listed"), std::string::npos);
  EXPECT_LT(cut.find("the last is the worst"), cut.find("\"wrong\""));
}

TEST_F(FormsTest, JunitEscapesWhatXmlCannotSay) {
  add("a: 1\n", "q\"<&\n\x01.yaml");
  std::string text =
      rendered(Format::Junit, {error(at("a"), "<b> & \"c\"\t\x02\xFF\xEF\xBF\xBF]]>")});
  EXPECT_NE(text.find("name=\"q&quot;&lt;&amp;&#10;\xEF\xBF\xBD.yaml\""), std::string::npos)
      << text;
  EXPECT_NE(text.find("message=\"&lt;b&gt; &amp; "
                      "&quot;c&quot;&#9;\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD]]&gt;\""),
            std::string::npos)
      << text;
}

TEST_F(FormsTest, JunitFailsFromTheSeverityThatTheRunFailsOn) {
  add("a: 1\n");
  Diagnostic warning = error(at("a"), "only a warning");
  warning.severity = Severity::Warning;
  std::string lax = rendered(Format::Junit, {warning});
  EXPECT_NE(lax.find("tests=\"1\" failures=\"0\""), std::string::npos) << lax;
  EXPECT_NE(lax.find("<system-out>warning[TK2001] at 1:1: only a warning\n</system-out>"),
            std::string::npos)
      << lax;
  RenderOptions options;
  options.failOn = Severity::Warning;
  options.time = 86'400 + 3661;
  std::string strict = rendered(Format::Junit, {warning, warning}, options);
  EXPECT_NE(
      strict.find(
          "timestamp=\"1970-01-02T01:01:01\" hostname=\"localhost\" tests=\"2\" failures=\"2\""),
      std::string::npos)
      << strict;
}

TEST_F(FormsTest, SummaryCountsAndPlurals) {
  FileId first = add("a: 1\n");
  Diagnostic one = error(at("a"));
  FileId second = add("b: 1\n", "b.tikc.yaml");
  Diagnostic warning = error(at("b"));
  warning.severity = Severity::Warning;
  Diagnostic note = error(at("b"));
  note.severity = Severity::Note;
  FileId third = add("c: 1\n", "c.tikc.yaml");
  FileId checked[] = {first, second, third};

  auto summary = [&](std::vector<Diagnostic> found, bool quiet = false) {
    RenderOptions options;
    options.quiet = quiet;
    std::string text = render(Format::Text, {sources_, found, checked, 7, "1"}, options);
    return text.substr(text.rfind('\n', text.size() - 2) + 1);
  };
  EXPECT_EQ(summary({one, one}), "2 errors in 1 file (3 checked)\n");
  EXPECT_EQ(summary({one, warning, warning, note}),
            "1 error, 2 warnings, 1 note in 2 files (3 checked)\n");
  EXPECT_EQ(summary({}), "7 contracts in 3 files: no findings\n");

  Report recorded{sources_, {}, checked, 7, "1"};
  recorded.heirs = 1;
  recorded.recorded = 2;
  EXPECT_EQ(render(Format::Text, recorded),
            "7 contracts in 3 files: no new findings (1 extends the given files, 2 in the "
            "baseline)\n");
  std::vector<Diagnostic> fresh = {one};
  recorded.diagnostics = fresh;
  EXPECT_TRUE(render(Format::Text, recorded)
                  .ends_with("1 error in 1 file (3 checked, 1 extends the given files, 2 in the "
                             "baseline)\n"));

  RenderOptions quiet;
  quiet.quiet = true;
  std::vector<Diagnostic> all = {warning, one, note};
  EXPECT_EQ(render(Format::Text, {sources_, all, checked, 7, "1"}, quiet), drawn(one) + "\n");
  EXPECT_EQ(render(Format::Text, {sources_, {}, checked, 7, "1"}, quiet), "");
}

} // namespace
} // namespace tikc::diag::testing
