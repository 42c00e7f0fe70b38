#include "checker/emit/cpp/CInterface.h"

#include "checker/emit/CodeWriter.h"
#include "checker/emit/cpp/CNames.h"
#include "checker/emit/cpp/Names.h"
#include "checker/emit/cpp/Slices.h"
#include "checker/emit/cpp/Standalone.h"
#include "support/Wrap.h"
#include "tikc/Version.h"
#include "tikc/c_types.h"

#include <algorithm>

namespace tikc::emit::cpp {
namespace {

using plan::Plan;

enum class FunctionGroup { Contract, Tally, Checker, Router };

struct Function {
  FunctionGroup group;
  std::string_view name, returns, parameters, doc;
};
constexpr Function functions[] = {
#define FUNCTION(Group_, Name, Returns, Parameters, Doc)                                           \
  {FunctionGroup::Group_, Name, Returns, Parameters, Doc},
#include "checker/emit/cpp/CFunctions.def"
};

std::string_view groupName(FunctionGroup group) {
  static constexpr std::string_view names[] = {"contract", "tally", "checker", "router"};
  return names[static_cast<std::size_t>(group)];
}

/// What follows a contract's prefix: tally_merge, version.
std::string endingOf(const Function& function) {
  return function.group == FunctionGroup::Contract
             ? std::string(function.name)
             : fmt::format("{}_{}", groupName(function.group), function.name);
}

std::vector<std::string> endings() {
  std::vector<std::string> out = {"tally", "checker", "router", "request", "slice_of"};
  for (const Function& function : functions)
    out.push_back(endingOf(function));
  return out;
}

/// A contract, as C and C++ know it.
struct NamedContract {
  const Plan& plan;
  std::string space;
  std::string prefix;
  std::string constants; // what its constants begin with

  /// `$` and `$T` in full.
  std::string filled(const Function& function, std::string_view text) const {
    std::string out;
    for (std::size_t at = text.find('$'); at != text.npos; at = text.find('$')) {
      bool isObject = text.substr(at + 1).starts_with('T');
      out += text.substr(0, at);
      out += isObject ? fmt::format("{}_{}", prefix, groupName(function.group)) : prefix;
      text.remove_prefix(at + (isObject ? 2 : 1));
    }
    return out.append(text);
  }

  std::string declarator(const Function& function) const {
    std::string parameters = filled(function, function.parameters);
    return fmt::format("{} {}_{}({})", function.returns, prefix, endingOf(function),
                       parameters.empty() ? "void" : parameters);
  }

  /// The runtime's class that has the functions of a group.
  std::string calls(FunctionGroup group) const {
    std::string plan_ = "::" + space + "::plan";
    switch (group) {
    case FunctionGroup::Contract:
      return fmt::format("contract_calls<{}, {}, {}>", plan_, plan.rules.size(),
                         plan.stages.size());
    case FunctionGroup::Router:
      return fmt::format("router_calls<{}, ::{}::policy, {}>", plan_, space, plan.stages.size());
    default:
      return fmt::format("{}_calls<{}>", groupName(group), plan_);
    }
  }
};

/// The last word of each parameter.
std::string argumentsOf(std::string_view parameters) {
  std::string out;
  for (std::size_t end = 0; !parameters.empty(); parameters.remove_prefix(end)) {
    end = std::min(parameters.find(','), parameters.size());
    std::string_view one = parameters.substr(0, end);
    out += fmt::format("{}{}", out.empty() ? "" : ", ", one.substr(one.find_last_of(" *") + 1));
    end += end < parameters.size();
  }
  return out;
}

class CHeader {
public:
  CHeader(CodeWriter& out, CScope& scope) : out_(out), scope_(scope) {}

  void write(const NamedContract& contract) {
    out_.gap();
    out_.line("/* {} */", titleOf(contract.plan));
    counts(contract);
    rows(contract, "SLICE", contract.plan.slices, [](const auto& row) { return row.name; });
    rows(contract, "CLAUSE", contract.plan.clauses, [](const auto& row) { return row.id; });
    rows(contract, "RULE", contract.plan.rules, [](const auto& row) { return row.id; });
    rows(contract, "KERNEL", contract.plan.kernels, [](const auto& row) { return row; });
    rows(contract, "STAGE", contract.plan.stages, [](const auto& row) { return row.name; });
    rows(contract, "STREAM", contract.plan.streams,
         [](const auto& row) { return plan::streamName(row); });
    request(contract);
    for (std::string_view name : {"tally", "checker", "router"})
      out_.line("typedef struct {0}_{1} {0}_{1};", contract.prefix, name);
    calls(contract);
  }

private:
  void counts(const NamedContract& contract) {
    std::size_t checks = contract.plan.checks.size();
    out_.block("enum {", "};", [&] {
      for (auto [name, count] :
           {std::pair<std::string_view, std::size_t>{"SLICES", contract.plan.slices.size()},
            {"STREAMS", contract.plan.streams.size()},
            {"CLAUSES", contract.plan.clauses.size()},
            {"CHECKS", checks},
            {"RULES", contract.plan.rules.size()},
            {"STAGES", contract.plan.stages.size()},
            {"VOCABULARY", static_cast<std::size_t>(contract.plan.vocabulary)}})
        constant(contract, name, count);
    });
  }

  void constant(const NamedContract& contract, std::string_view name, std::size_t value) {
    out_.line("{} = {},", scope_.take(fmt::format("{}_{}", contract.constants, name)), value);
  }

  template <typename Rows, typename NameOf>
  void rows(const NamedContract& contract, std::string_view kind, const Rows& rows,
            const NameOf& nameOf) {
    if (rows.empty())
      return;
    out_.block("enum {", "};", [&] {
      for (std::size_t i = 0; i < rows.size(); ++i)
        constant(contract, fmt::format("{}_{}", kind, upper(cWord(nameOf(rows[i])))), i);
    });
  }

  /// All zeros, or null, is a request that says nothing.
  void request(const NamedContract& contract) {
    const std::vector<RequestField> fields = requestFields(contract.plan);
    for (const RequestField& field : fields)
      if (field.label)
        rows(contract, upper(field.type), namesOfValues(*field.label),
             [](const auto& name) { return name; });
    out_.gap();
    out_.line("/* What slices may ask of a request{}. */",
              contract.plan.slicesByToken ? ", and of the place of a token in it" : "");
    out_.block(fmt::format("typedef struct {}_request {{", contract.prefix),
               fmt::format("}} {}_request;", contract.prefix), [&] {
                 for (const RequestField& field : fields)
                   if (field.label)
                     out_.line("uint32_t {}; /* {}_{}_... */", field.name, contract.constants,
                               upper(field.type));
                   else
                     out_.line("{}{};", field.isText ? "const char* " : "double ", field.name);
               });
    out_.gap();
    out_.line("TIKC_C_API tikc_status {0}_slice_of(const {0}_request* self, uint32_t* slice) "
              "TIKC_C_NOEXCEPT;",
              contract.prefix);
    out_.gap();
  }

  void calls(const NamedContract& contract) {
    FunctionGroup last = FunctionGroup::Contract;
    for (const Function& function : functions) {
      if (function.group != last || !function.doc.empty())
        out_.gap();
      last = function.group;
      if (!function.doc.empty())
        out_.line("/* {} */", wrapped(function.doc, 3, 3));
      out_.line("TIKC_C_API {} TIKC_C_NOEXCEPT;", contract.declarator(function));
    }
  }

  CodeWriter& out_;
  CScope& scope_;
};

void writeSliceOf(CodeWriter& out, const NamedContract& contract) {
  const std::vector<RequestField> fields = requestFields(contract.plan);
  out.gap();
  out.block(
      fmt::format("tikc_status {0}_slice_of(const {0}_request* self, uint32_t* slice) noexcept {{",
                  contract.prefix),
      "}", [&] {
        out.line("tikc_status wrong = "
                 "tikc::c::first_wrong(tikc::c::points_to(self), tikc::c::points_to(slice));");
        out.line("if (wrong != TIKC_OK)");
        out.line("  return wrong;");
        out.line("::{}::request request;", contract.space);
        for (const RequestField& field : fields)
          if (field.label) {
            out.line("if (self->{} > {})", field.name, field.label->values.size());
            out.line("  return TIKC_VALUE;");
            out.line("request.{0} = static_cast<::{1}::{2}>(self->{0});", field.name,
                     contract.space, field.type);
          } else if (field.isText) {
            out.line("if (self->{} != nullptr)", field.name);
            out.line("  request.{0} = self->{0};", field.name);
          } else {
            out.line("request.{0} = self->{0};", field.name);
          }
        out.line("*slice = static_cast<uint32_t>(::{}::slice_of(request));", contract.space);
        out.line("return TIKC_OK;");
      });
}

void writeSource(CodeWriter& out, const NamedContract& contract) {
  writeSliceOf(out, contract);
  for (const Function& function : functions)
    out.block(contract.declarator(function) + " noexcept {", "}", [&] {
      out.line("return tikc::c::{}::{}({});", contract.calls(function.group), function.name,
               argumentsOf(function.parameters));
    });
}

std::string headerText(const std::vector<NamedContract>& contracts, CScope& scope,
                       const std::string& stem) {
  CodeWriter out;
  out.line("/* Generated by tikc {} from {}. Do not edit: the contract is the source. */",
           versionString, comment(stem + ".tikc.yaml"));
  std::string guard = fmt::format("TIKC_GENERATED_{}_H", upper(contracts.front().prefix));
  out.line("#ifndef {}", guard);
  out.line("#define {}", guard);
  out.gap();
  out.line("#include \"tikc/c_types.h\"");
  out.gap();
  out.line("#if TIKC_C_ABI != {}", TIKC_C_ABI);
  out.line("#error \"two versions of tikc: their headers do not go together\"");
  out.line("#endif");
  out.gap();
  out.line("#ifdef __cplusplus");
  out.line("extern \"C\" {{");
  out.line("#endif");
  for (const NamedContract& contract : contracts)
    CHeader(out, scope).write(contract);
  out.gap();
  out.line("#ifdef __cplusplus");
  out.line("}}");
  out.line("#endif");
  out.line("#endif");
  return out.take();
}

} // namespace

std::vector<File> emitCInterface(const std::vector<Plan>& plans,
                                 const std::vector<std::string>& spaces, const std::string& stem,
                                 const Options& options) {
  CScope scope;
  for (const std::string& space : spaces)
    scope.block(space);
  std::vector<NamedContract> contracts;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    std::string prefix = scope.takePrefix(plans[i].contract, endings());
    contracts.push_back({plans[i], spaces[i], prefix, upper(prefix)});
  }
  std::string header = headerText(contracts, scope, stem);

  CodeWriter source;
  source.line("// Generated by tikc {} from {}. Do not edit: the contract is the source.",
              versionString, comment(stem + ".tikc.yaml"));
  source.line("#include \"{}.tikc_c.h\"", stem);
  source.line("#include \"{}.tikc.h\"", stem);
  if (!options.isStandalone) {
    source.gap();
    source.line("#include \"tikc/c_interface.h\"");
  }
  for (const NamedContract& contract : contracts)
    writeSource(source, contract);
  return {{stem + ".tikc_c.h", options.isStandalone ? standalone(header) : std::move(header)},
          {stem + ".tikc_c.cpp", source.take()}};
}

} // namespace tikc::emit::cpp
