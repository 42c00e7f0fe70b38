#include "checker/engine/RowPass.h"
#include "checker/engine/Within.h"
#include "library/Handles.h"
#include "tikc/c_interface.h"
#include "tikc/c_tally.h"

#include <algorithm>
#include <string_view>

using namespace tikc;
using namespace tikc::library;

namespace {

tikc_status isContract(const tikc_contract* contract) {
  return c::is_object<ContractRef>(contract);
}
const RunnableContract& contractAt(const tikc_contract* contract) {
  return *c::object<ContractRef>(contract);
}

tikc_status isRequest(const tikc_request* request) { return c::is_object<OpenRequest>(request); }
const OpenRequest& requestAt(const tikc_request* request) {
  return c::object<OpenRequest>(request);
}

tikc_status isPlace(const tikc_contract* contract, std::uint32_t stream, std::uint32_t slice) {
  const tikc_status wrong = isContract(contract);
  return wrong != TIKC_OK
             ? wrong
             : c::first_wrong(c::is_below(stream, contractAt(contract).tables.streams.size()),
                              c::is_below(slice, contractAt(contract).tables.slices));
}

/// What a contract says; of no contract nothing.
template <class Tell>
auto told(const tikc_contract* contract, Tell&& tell) -> decltype(tell(contractAt(contract))) {
  return isContract(contract) == TIKC_OK ? tell(contractAt(contract))
                                         : decltype(tell(contractAt(contract)))();
}

/// The name of a row, where there is one.
template <class RowsOf, class NameOf>
const char* nameIn(const tikc_contract* handle, std::uint32_t row, RowsOf&& rowsOf,
                   NameOf&& nameOf) {
  return told(handle, [&](const RunnableContract& contract) -> const char* {
    const auto& rows = rowsOf(contract);
    return row < rows.size() ? nameOf(rows[row]) : nullptr;
  });
}

tikc_status isField(const tikc_request* request, std::uint32_t field, bool isText) {
  const tikc_status wrong = isRequest(request);
  if (wrong != TIKC_OK)
    return wrong;
  const auto& fields = requestAt(request).contract->fields;
  return field >= fields.size()           ? TIKC_RANGE
         : fields[field].isText == isText ? TIKC_OK
                                          : TIKC_VALUE;
}

bool isValue(const RunnableContract::Field& field, std::string_view text) {
  return field.values.empty() || text.empty() ||
         std::find(field.values.begin(), field.values.end(), text) != field.values.end();
}

} // namespace

extern "C" {

tikc_status tikc_contract_destroy(tikc_contract* contract) noexcept {
  return destroy<ContractRef>(contract);
}

const char* tikc_contract_name(const tikc_contract* handle) noexcept {
  return told(handle, [](const RunnableContract& from) { return from.tables.contract; });
}
const char* tikc_contract_version(const tikc_contract* contract) noexcept {
  return told(contract, [](const RunnableContract& from) { return from.tables.version; });
}
uint32_t tikc_contract_is_draft(const tikc_contract* contract) noexcept {
  return told(contract,
              [](const RunnableContract& from) { return from.tables.is_draft ? 1U : 0U; });
}
const char* tikc_contract_build(const tikc_contract* contract) noexcept {
  return told(contract, [](const RunnableContract& from) { return from.tables.build; });
}
const char* tikc_contract_digest(const tikc_contract* contract) noexcept {
  return told(contract, [](const RunnableContract& from) { return from.tables.digest; });
}
uint64_t tikc_contract_fingerprint(const tikc_contract* contract) noexcept {
  return told(contract, [](const RunnableContract& from) { return from.tables.fingerprint; });
}

tikc_status tikc_contract_shape(const tikc_contract* contract, tikc_shape* out) noexcept {
  return c::when_right(c::first_wrong(isContract(contract), c::points_to(out)), [&] {
    const RunnableContract& from = contractAt(contract);
    *out = c::shape_of(from.tables, from.policy.rules.size(), from.tables.stages.size());
  });
}

const char* tikc_contract_slice_name(const tikc_contract* contract, uint32_t slice) noexcept {
  return nameIn(
      contract, slice, [](const auto& from) -> auto& { return from.tables.slice_names; },
      [](const char* name) { return name; });
}
const char* tikc_contract_stream_name(const tikc_contract* contract, uint32_t stream) noexcept {
  return nameIn(
      contract, stream, [](const auto& from) -> auto& { return from.streamNames; },
      [](const std::string& name) { return name.c_str(); });
}
const char* tikc_contract_stage_name(const tikc_contract* contract, uint32_t stage) noexcept {
  return nameIn(
      contract, stage, [](const auto& from) -> auto& { return from.plan.stages; },
      [](const plan::Stage& row) { return row.name.c_str(); });
}
const char* tikc_contract_clause_name(const tikc_contract* contract, uint32_t clause) noexcept {
  return nameIn(
      contract, clause, [](const auto& from) -> auto& { return from.tables.clauses; },
      [](const tikc::clause& row) { return row.id; });
}
const char* tikc_contract_check_text(const tikc_contract* contract, uint32_t check) noexcept {
  return nameIn(
      contract, check, [](const auto& from) -> auto& { return from.tables.checks; },
      [](const tikc::check& row) { return row.text; });
}
const char* tikc_router_rule_name(const tikc_contract* contract, uint32_t rule) noexcept {
  return nameIn(
      contract, rule, [](const auto& from) -> auto& { return from.policy.rules; },
      [](const tikc::rule& row) { return row.id; });
}

tikc_status tikc_contract_clause_checks(const tikc_contract* contract, uint32_t clause,
                                        uint32_t* first, uint32_t* count) noexcept {
  const tikc_status wrong = isContract(contract);
  return wrong != TIKC_OK ? wrong : c::checks_of(contractAt(contract).tables, clause, first, count);
}

tikc_status tikc_contract_within(const tikc_contract* contract, uint32_t stream, uint32_t slice,
                                 const tikc_tokens* tokens, uint8_t* kept) noexcept {
  return guarded([&] {
    tikc_status wrong = isPlace(contract, stream, slice);
    if (wrong == TIKC_OK)
      wrong = c::is_batch(tokens);
    if (wrong == TIKC_OK)
      wrong = c::points_to(kept, tokens->size);
    return c::when_right(wrong, [&] {
      engine::markWithin(contractAt(contract).tables, stream, slice, c::batch_of(*tokens),
                         {kept, tokens->size});
    });
  });
}

tikc_status tikc_contract_within_response(const tikc_contract* contract, uint32_t stream,
                                          uint32_t slice, const tikc_sequence* response,
                                          uint32_t* kept) noexcept {
  const tikc_status wrong =
      c::first_wrong(isPlace(contract, stream, slice), c::points_to(response), c::points_to(kept));
  return c::when_right(wrong, [&] {
    *kept = engine::isWithin(contractAt(contract).tables, stream, slice, c::sequence_of(*response));
  });
}

tikc_status tikc_contract_assumption(const tikc_contract* contract, uint32_t assumption,
                                     tikc_assumption* out) noexcept {
  const tikc_status wrong = isContract(contract);
  return wrong != TIKC_OK ? wrong : c::assumption_of(contractAt(contract).tables, assumption, out);
}
const char* tikc_contract_claim_name(const tikc_contract* handle, uint32_t claim) noexcept {
  return nameIn(
      handle, claim, [](const auto& contract) -> const auto& { return contract.tables.claims; },
      [](const tikc::claim& row) { return row.id; });
}
const char* tikc_contract_claim_text(const tikc_contract* handle, uint32_t claim) noexcept {
  return nameIn(
      handle, claim, [](const auto& contract) -> const auto& { return contract.tables.claims; },
      [](const tikc::claim& row) { return row.says; });
}
tikc_status tikc_contract_claim_rests_on(const tikc_contract* contract, uint32_t claim,
                                         uint32_t assumption, uint32_t* out) noexcept {
  const tikc_status wrong = isContract(contract);
  return wrong != TIKC_OK ? wrong
                          : c::rests_on(contractAt(contract).tables, claim, assumption, out);
}
tikc_status tikc_contract_claim_ground(const tikc_contract* contract, uint32_t claim,
                                       uint32_t place, uint32_t* check, uint32_t* slice) noexcept {
  const tikc_status wrong = isContract(contract);
  return wrong != TIKC_OK ? wrong
                          : c::ground_of(contractAt(contract).tables, claim, place, check, slice);
}

tikc_status tikc_contract_fields(const tikc_contract* contract, uint32_t* count) noexcept {
  return c::when_right(c::first_wrong(isContract(contract), c::points_to(count)), [&] {
    *count = static_cast<std::uint32_t>(contractAt(contract).fields.size());
  });
}

tikc_status tikc_contract_field(const tikc_contract* contract, uint32_t field,
                                tikc_field* out) noexcept {
  tikc_status wrong = isContract(contract);
  if (wrong == TIKC_OK)
    wrong =
        c::first_wrong(c::is_below(field, contractAt(contract).fields.size()), c::points_to(out));
  return c::when_right(wrong, [&] {
    const RunnableContract::Field& each = contractAt(contract).fields[field];
    *out = {each.name, each.values.data(), static_cast<std::uint32_t>(each.values.size()),
            each.isText ? 1U : 0U};
  });
}

tikc_status tikc_contract_find_field(const tikc_contract* contract, const char* name,
                                     uint32_t* field) noexcept {
  const tikc_status wrong =
      c::first_wrong(isContract(contract), c::points_to(name), c::points_to(field));
  if (wrong != TIKC_OK)
    return wrong;
  const auto& fields = contractAt(contract).fields;
  const std::string_view wanted = name;
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const auto& each) { return each.name == wanted; });
  if (found == fields.end())
    return TIKC_RANGE;
  *field = static_cast<std::uint32_t>(found - fields.begin());
  return TIKC_OK;
}

tikc_status tikc_contract_bounds(const tikc_contract* contract, uint32_t field, double* out,
                                 size_t room, size_t* count) noexcept {
  tikc_status wrong =
      c::first_wrong(isContract(contract), c::points_to(out, room), c::points_to(count));
  if (wrong == TIKC_OK)
    wrong = c::is_below(field, contractAt(contract).fields.size());
  if (wrong != TIKC_OK)
    return wrong;
  const std::vector<double>& bounds = contractAt(contract).fields[field].bounds;
  *count = bounds.size();
  if (bounds.size() > room)
    return TIKC_ROOM;
  std::copy(bounds.begin(), bounds.end(), out);
  return TIKC_OK;
}

tikc_status tikc_contract_rows(const tikc_contract* contract, uint32_t stream,
                               tikc_row_plan* out) noexcept {
  return c::when_right(c::first_wrong(isPlace(contract, stream, 0), c::points_to(out)), [&] {
    const tikc::stream& pair = contractAt(contract).tables.streams[stream];
    *out = {pair.train_temperature, pair.infer_temperature, pair.row_wants,
            pair.misses_by_cuts() ? 0U : 1U, pair.masks == mask_rule::lenient ? 1U : 0U};
  });
}

tikc_status tikc_request_create(const tikc_contract* from, tikc_request** out) noexcept {
  return guarded([&] {
    const tikc_status wrong = c::first_wrong(isContract(from), c::points_to(out));
    return wrong != TIKC_OK
               ? wrong
               : create<OpenRequest>(out, OpenRequest{c::object<ContractRef>(from),
                                                      engine::Request(contractAt(from).plan)});
  });
}

tikc_status tikc_request_destroy(tikc_request* request) noexcept {
  return destroy<OpenRequest>(request);
}

tikc_status tikc_request_clear(tikc_request* request) noexcept {
  return guarded([&] {
    return c::when_right(isRequest(request), [&] {
      engine::Request blank(requestAt(request).contract->plan);
      c::object<OpenRequest>(request).asked.emplace(std::move(blank));
    });
  });
}

tikc_status tikc_request_set_number(tikc_request* request, uint32_t field, double value) noexcept {
  return c::when_right(isField(request, field, false),
                       [&] { c::object<OpenRequest>(request).asked->set(field, value); });
}

tikc_status tikc_request_set_text(tikc_request* request, uint32_t field, const char* text,
                                  size_t size) noexcept {
  return guarded([&] {
    tikc_status wrong = c::first_wrong(isField(request, field, true), c::has_bytes(text, size));
    if (wrong != TIKC_OK)
      return wrong;
    const std::string_view said(text, size);
    if (!isValue(requestAt(request).contract->fields[field], said))
      return TIKC_VALUE;
    c::object<OpenRequest>(request).asked->set(field, said);
    return TIKC_OK;
  });
}

tikc_status tikc_slice_of(const tikc_request* request, uint32_t* slice) noexcept {
  return guarded([&] {
    return c::when_right(c::first_wrong(isRequest(request), c::points_to(slice)), [&] {
      *slice = static_cast<std::uint32_t>(requestAt(request).asked->slice());
    });
  });
}

} // extern "C"
