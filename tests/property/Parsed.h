#pragma once

#include "sema/Build.h"
#include "sema/Structure.h"
#include "sema/Types.h"
#include "yaml/YamlReader.h"

#include <string>

namespace tikc::tests {

/// A text of one contract, read but not judged: nothing is proved, and no rule looks at it.
class Parsed {
public:
  explicit Parsed(std::string text) {
    FileId file = sources_.add("test.tikc.yaml", {}, std::move(text));
    Limits limits;
    diag::Sink sink(limits);
    yaml::Tree tree = yaml::readYaml(sources_, file, limits, sink);
    expr::ExprParser expressions(sources_, limits, nullptr);
    sema::FileContext context{sources_, limits, sink, expressions};
    if (tree.documents.size() == 1) {
      yaml::YamlDocument& document = tree.documents.front();
      sema::checkStructure(context, *document.root, model::Shape::Contract,
                           sema::Completeness::Whole);
      contract_ = sema::buildContract(context, document);
      sema::typeContract(context, contract_);
    }
    for (const diag::Diagnostic& found : sink.take())
      if (found.severity == diag::Severity::Error)
        errors_ += found.message + "\n";
  }

  const model::Contract& contract() const { return contract_; }
  /// Empty where all is well.
  const std::string& errors() const { return errors_; }

private:
  SourceManager sources_;
  model::Contract contract_;
  std::string errors_;
};

} // namespace tikc::tests
