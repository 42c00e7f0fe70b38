/* Contracts run in any process, without a compiler: they are read, checked, and their checkers and
   routers are had at once, with the findings and the bytes of those that `tikc emit cpp` writes.

   Functions of tallies, checkers and routers are those of an emitted C interface, `tikc_` in the
   place of the contract's prefix: the same arguments, checks and statuses. What creates takes a
   contract first, for its sizes are known only now, and objects lie in memory of their own.

   An object belongs to one thread at a time, but for documents and contracts: they never change,
   and any number of threads may use one, as long as none destroys it. Nothing else is shared. What
   was made from an object keeps what it needs of it: either may be destroyed first. Texts are
   UTF-8, end in a zero, and live as long as the object that was asked.

   Every function checks its arguments, and throws nothing. A contract's objects do not go with
   another's: TIKC_OBJECT. A pointer to what was destroyed is noticed as long as nothing took its
   place. While a contract is read, memory that ends may end the process: GMP and LLVM know no other
   way. Elsewhere it is TIKC_MEMORY. */
#ifndef TIKC_H
#define TIKC_H

#include "tikc/c_types.h"

/* A declaration a line, for programs that read this. */
/* clang-format off */

/* Of this header and the library's types; another number is another interface. */
#define TIKC_ABI 3

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tikc_document tikc_document; /* a text that was read and checked */
typedef struct tikc_contract tikc_contract; /* one of its contracts, ready to run */
typedef struct tikc_request tikc_request;
typedef struct tikc_tally tikc_tally;
typedef struct tikc_checker tikc_checker;
typedef struct tikc_router tikc_router;
typedef struct tikc_batch tikc_batch; /* what a trainer would log of some responses */
typedef struct tikc_signs tikc_signs; /* what faults leave behind in log-probs */
typedef struct tikc_evidence tikc_evidence; /* what was observed, by pieces */

/* How much a diagnostic weighs. */
enum { TIKC_NOTE = 1, TIKC_WARNING = 2, TIKC_ERROR = 3 };

/* What became of a claim. */
enum { TIKC_PROVED = 0, TIKC_REFUTED = 1, TIKC_UNPROVED = 2 };

/* From `begin` to `end`, in bytes of the file; lines and columns begin at 1, and a column is a
   character. */
typedef struct tikc_place {
  const char* file;
  uint32_t begin, end;
  uint32_t line, column;
  uint32_t end_line, end_column;
} tikc_place;

/* What `tikc check` finds. The label is the few words under the carets. */
typedef struct tikc_diagnostic {
  const char* code; /* TK5001 */
  const char* name; /* UnknownMetric */
  const char* message;
  const char* label;
  tikc_place place;
  uint32_t severity;
  uint32_t notes, related, fixes;
} tikc_diagnostic;

/* Another place that explains a diagnostic. */
typedef struct tikc_related {
  const char* message;
  tikc_place place;
} tikc_related;

/* One way out of a diagnostic, to be applied whole. A safe one keeps or restores what the author
   plainly meant. */
typedef struct tikc_fix {
  const char* title;
  uint32_t is_safe;
  uint32_t edits;
} tikc_fix;

/* The text takes the place's. */
typedef struct tikc_edit {
  const char* text;
  tikc_place place;
} tikc_edit;

/* A claim, on the slices that have this outcome; `*` is the mixture, and a contract without slices
   has none. What is not known is empty. */
typedef struct tikc_claim {
  const char* contract;
  const char* name;
  const char* asked;  /* <= 0.065 */
  const char* proved; /* what follows */
  const char* slack;  /* 1.2% */
  const char* const* slices;
  uint32_t slice_count;
  uint32_t verdict;
  uint32_t is_draft; /* the contract: what is not proved is a warning */
} tikc_claim;

/* What slices may ask of a request. */
typedef struct tikc_field {
  const char* name;
  const char* const* values; /* of a label; the others take any text */
  uint32_t value_count;
  uint32_t is_text;
} tikc_field;

/* What a tally observed, of what. A piece is known by its source and its place there: it counts
   once, however often it is merged. What is not known is NaN. */
typedef struct tikc_piece {
  const char* source; /* which it is told under */
  const char* stage;  /* of the promotion; empty for none */
  uint64_t place;
  uint64_t failed; /* observations that are not in the tally, as something was wrong */
  double step;     /* the trainer's */
  double begins, ends; /* seconds since 1970 */
  uint32_t token_bits; /* ids have a token in so many low bits, from 1 on, and above them the observation */
} tikc_piece;

/* What is in evidence; NaN where no piece has a time. */
typedef struct tikc_summary {
  uint64_t pieces, sources;
  uint64_t tokens, responses, rows, failed;
  double first, last;
  uint32_t origins;
} tikc_summary;

/* Under what numbers of some pieces were observed. The texts live until something is merged into
   the evidence. */
typedef struct tikc_origin {
  const char* contract;
  const char* version;
  const char* build;
  const char* digest;
  const char* stage;
  uint64_t fingerprint;
  uint64_t pieces;
} tikc_origin;

/* TIKC_ABI of the library: another one must not be called. */
TIKC_C_API uint32_t tikc_abi(void) TIKC_C_NOEXCEPT;

/* Of tikc. */
TIKC_C_API const char* tikc_version(void) TIKC_C_NOEXCEPT;

/* Names are null where there is none. */
TIKC_C_API const char* tikc_status_name(uint32_t status) TIKC_C_NOEXCEPT;

/* Documents: a file, read with the tikc.yaml that holds for it and with what it extends, and
   checked. What is wrong with its contracts is no status, but diagnostics. With TIKC_FILE, it
   cannot be read, and TIKC_FAULT, tikc failed, there is a document all the same, whose message says
   why. It keeps that text, as a caller that would have to free it may have no more than a copy:
   Python makes one of each text that it is given. */
TIKC_C_API tikc_status tikc_open(const char* path, tikc_document** out) TIKC_C_NOEXCEPT;

/* The same of a text, which need not be a file. Where a name is given, it is called so, and what it
   extends is sought beside it. */
TIKC_C_API tikc_status tikc_read(const char* text, size_t size, const char* name, tikc_document** out) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_document_destroy(tikc_document* of) TIKC_C_NOEXCEPT;

/* Why nothing could be read; empty where it could. */
TIKC_C_API const char* tikc_document_message(const tikc_document* of) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_document_counts(const tikc_document* of, uint32_t* diagnostics, uint32_t* claims, uint32_t* contracts) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_document_diagnostic(const tikc_document* of, uint32_t diagnostic, tikc_diagnostic* out) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_document_note(const tikc_document* of, uint32_t diagnostic, uint32_t note, const char** out) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_document_related(const tikc_document* of, uint32_t diagnostic, uint32_t related, tikc_related* out) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_document_fix(const tikc_document* of, uint32_t diagnostic, uint32_t fix, tikc_fix* out) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_document_edit(const tikc_document* of, uint32_t diagnostic, uint32_t fix, uint32_t edit, tikc_edit* out) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_document_claim(const tikc_document* of, uint32_t claim, tikc_claim* out) TIKC_C_NOEXCEPT;

/* All of it, as `tikc check --alone --format=json` writes it. */
TIKC_C_API tikc_status tikc_document_write_json(const tikc_document* of, tikc_sink sink, void* context) TIKC_C_NOEXCEPT;

/* TIKC_REFUSED where the contract must not be run, and its refusal says why: the file has errors,
   the contract is abstract, or has nothing to check. */
TIKC_C_API tikc_status tikc_document_contract(const tikc_document* of, uint32_t contract, tikc_contract** out) TIKC_C_NOEXCEPT;

/* Empty where nothing is in the way. */
TIKC_C_API tikc_status tikc_document_refusal(const tikc_document* of, uint32_t contract, const char** out) TIKC_C_NOEXCEPT;

/* Contracts. What is no contract has no name, and is 0. */
TIKC_C_API tikc_status tikc_contract_destroy(tikc_contract* of) TIKC_C_NOEXCEPT;
TIKC_C_API const char* tikc_contract_name(const tikc_contract* of) TIKC_C_NOEXCEPT;
TIKC_C_API const char* tikc_contract_version(const tikc_contract* of) TIKC_C_NOEXCEPT;

/* 1 where what the contract claims need not be proved: nothing promotes what it is about. */
TIKC_C_API uint32_t tikc_contract_is_draft(const tikc_contract* of) TIKC_C_NOEXCEPT;

/* Of the serving kernel; empty where the contract does not say. */
TIKC_C_API const char* tikc_contract_build(const tikc_contract* of) TIKC_C_NOEXCEPT;

/* Of the weights; empty where the contract does not say. */
TIKC_C_API const char* tikc_contract_digest(const tikc_contract* of) TIKC_C_NOEXCEPT;

/* Of all that its numbers mean: tallies of the same fingerprint merge, an emitted checker's too. */
TIKC_C_API uint64_t tikc_contract_fingerprint(const tikc_contract* of) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_contract_shape(const tikc_contract* of, tikc_shape* out) TIKC_C_NOEXCEPT;

/* Names are null where there is none. */
TIKC_C_API const char* tikc_contract_slice_name(const tikc_contract* of, uint32_t slice) TIKC_C_NOEXCEPT;
TIKC_C_API const char* tikc_contract_stream_name(const tikc_contract* of, uint32_t stream) TIKC_C_NOEXCEPT;
TIKC_C_API const char* tikc_contract_stage_name(const tikc_contract* of, uint32_t stage) TIKC_C_NOEXCEPT;
TIKC_C_API const char* tikc_contract_clause_name(const tikc_contract* of, uint32_t clause) TIKC_C_NOEXCEPT;
TIKC_C_API const char* tikc_contract_check_text(const tikc_contract* of, uint32_t check) TIKC_C_NOEXCEPT;

/* A clause is checks [first, first + count), which must all hold. */
TIKC_C_API tikc_status tikc_contract_clause_checks(const tikc_contract* of, uint32_t clause, uint32_t* first, uint32_t* count) TIKC_C_NOEXCEPT;

/* Of bounds that each token is under, as that of a largest figure: 1 for each token that counts and is within all of them, else 0. */
TIKC_C_API tikc_status tikc_contract_within(const tikc_contract* of, uint32_t stream, uint32_t slice, const tikc_tokens* tokens, uint8_t* kept) TIKC_C_NOEXCEPT;

/* The same of a response that is whole, and has not ended. */
TIKC_C_API tikc_status tikc_contract_within_response(const tikc_contract* of, uint32_t stream, uint32_t slice, const tikc_sequence* response, uint32_t* kept) TIKC_C_NOEXCEPT;

/* What claims take as given: TIKC_RANGE where there are not so many. */
TIKC_C_API tikc_status tikc_contract_assumption(const tikc_contract* of, uint32_t assumption, tikc_assumption* out) TIKC_C_NOEXCEPT;

/* What is claimed, and whether an assumption was needed to prove it. */
TIKC_C_API const char* tikc_contract_claim_name(const tikc_contract* of, uint32_t claim) TIKC_C_NOEXCEPT;
TIKC_C_API const char* tikc_contract_claim_text(const tikc_contract* of, uint32_t claim) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_contract_claim_rests_on(const tikc_contract* of, uint32_t claim, uint32_t assumption, uint32_t* out) TIKC_C_NOEXCEPT;

/* The checks that a claim's proof rests on, by place from 0, each on a slice that the proof uses (0 where the check is about the mixture); TIKC_RANGE behind the last. */
TIKC_C_API tikc_status tikc_contract_claim_ground(const tikc_contract* of, uint32_t claim, uint32_t place, uint32_t* check, uint32_t* slice) TIKC_C_NOEXCEPT;

/* What slices may ask of a request, by number: fields, then labels. */
TIKC_C_API tikc_status tikc_contract_fields(const tikc_contract* of, uint32_t* count) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_contract_field(const tikc_contract* of, uint32_t field, tikc_field* out) TIKC_C_NOEXCEPT;

/* TIKC_RANGE where there is none of that name. */
TIKC_C_API tikc_status tikc_contract_find_field(const tikc_contract* of, const char* name, uint32_t* field) TIKC_C_NOEXCEPT;

/* The numbers that slices compare a field with, in their order: between two of them a request's
   slice does not change with it. Without any no slice asks for the field, or it is a text. With
   TIKC_ROOM, count is how many there are. */
TIKC_C_API tikc_status tikc_contract_bounds(const tikc_contract* of, uint32_t field, double* out, size_t room, size_t* count) TIKC_C_NOEXCEPT;

/* Responses that are whole, of which each is of one slice: all of them, or where something is wrong none. It is what a response observed and ended by itself is. */
TIKC_C_API tikc_status tikc_observe_responses(tikc_tally* of, uint32_t stream, const uint32_t* places, const tikc_tokens* responses, const uint64_t* ids, size_t size) TIKC_C_NOEXCEPT;

/* Of tokens that are refused with TIKC_VALUE, which log-prob is none. Nothing is said of others. */
TIKC_C_API tikc_status tikc_tokens_refused(const tikc_tokens* tokens, tikc_sink sink, void* context) TIKC_C_NOEXCEPT;

/* Requests: one that says nothing is all zeros and empty texts. */
TIKC_C_API tikc_status tikc_request_create(const tikc_contract* from, tikc_request** out) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_request_destroy(tikc_request* of) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_request_clear(tikc_request* of) TIKC_C_NOEXCEPT;

/* TIKC_VALUE of a field of the other kind, and of a text that is no value of a label; an empty one
   takes the label away. */
TIKC_C_API tikc_status tikc_request_set_number(tikc_request* of, uint32_t field, double value) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_request_set_text(tikc_request* of, uint32_t field, const char* text, size_t size) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_slice_of(const tikc_request* of, uint32_t* slice) TIKC_C_NOEXCEPT;

/* Tallies: what one worker observed. They merge in any order, and travel as bytes. */
TIKC_C_API tikc_status tikc_tally_create(const tikc_contract* from, tikc_tally** out) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_tally_destroy(tikc_tally* of) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_tally_clear(tikc_tally* of) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_tally_merge(tikc_tally* into, const tikc_tally* other) TIKC_C_NOEXCEPT;

/* What was served, observed or not: what a sampling clause wants a share of. */
TIKC_C_API tikc_status tikc_tally_serve(tikc_tally* of, uint32_t slice, uint64_t tokens, uint64_t requests) TIKC_C_NOEXCEPT;

/* What assumptions may be about: rewards of responses, TIKC_REWARD, say. */
TIKC_C_API tikc_status tikc_tally_hand_in(tikc_tally* of, uint32_t quantity, const tikc_numbers* numbers) TIKC_C_NOEXCEPT;

/* The scratch is one thread's, of the size that the shape says, aligned or not. */
TIKC_C_API tikc_status tikc_tally_observe_row(tikc_tally* of, uint32_t stream, uint32_t slice, const tikc_row* train, const tikc_row* infer, void* scratch, size_t scratch_bytes, uint64_t id) TIKC_C_NOEXCEPT;

/* Of one slice. */
TIKC_C_API tikc_status tikc_tally_observe_tokens(tikc_tally* of, uint32_t stream, uint32_t slice, const tikc_tokens* tokens) TIKC_C_NOEXCEPT;

/* A slice for each. Strays are those whose slice there is none of: they are in nothing. */
TIKC_C_API tikc_status tikc_tally_observe_mixed_tokens(tikc_tally* of, uint32_t stream, const uint8_t* slices, const tikc_tokens* tokens, void* scratch, size_t scratch_bytes, uint64_t* strays) TIKC_C_NOEXCEPT;

/* Of one response, which may come in several batches. */
TIKC_C_API tikc_status tikc_tally_observe_response(tikc_tally* of, uint32_t stream, uint32_t slice, const tikc_tokens* tokens, tikc_sequence* response) TIKC_C_NOEXCEPT;

/* The response is a new one after that. */
TIKC_C_API tikc_status tikc_tally_end_response(tikc_tally* of, uint32_t stream, uint32_t slice, tikc_sequence* response, uint64_t id) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_tally_observe_request(tikc_tally* of, uint32_t slice, const tikc_request_times* times, uint64_t id) TIKC_C_NOEXCEPT;

/* The largest log-prob change of a request's tokens, in another batch. */
TIKC_C_API tikc_status tikc_tally_observe_batch_replay(tikc_tally* of, uint32_t slice, double drift, uint64_t id) TIKC_C_NOEXCEPT;

/* The same when it is run again. */
TIKC_C_API tikc_status tikc_tally_observe_request_replay(tikc_tally* of, uint32_t slice, double drift, uint64_t id) TIKC_C_NOEXCEPT;

/* The share of layers whose set of experts differs. */
TIKC_C_API tikc_status tikc_tally_observe_routes(tikc_tally* of, uint32_t stream, uint32_t slice, double share, uint64_t id) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_tally_volume(const tikc_tally* of, uint32_t slice, tikc_volume* out) TIKC_C_NOEXCEPT;

/* How many bytes it is now, serialised. */
TIKC_C_API tikc_status tikc_tally_wire_size(const tikc_tally* of, size_t* bytes) TIKC_C_NOEXCEPT;

/* Sets bytes to what was written, or with TIKC_ROOM to what is needed. */
TIKC_C_API tikc_status tikc_tally_serialise(const tikc_tally* of, void* to, size_t room, size_t* bytes) TIKC_C_NOEXCEPT;

/* Of whatever bytes: it becomes what was serialised, or stays as it was. */
TIKC_C_API tikc_status tikc_tally_parse(tikc_tally* into, const void* bytes, size_t size) TIKC_C_NOEXCEPT;

/* Checkers: what judges the clauses by what tallies bring. */
TIKC_C_API tikc_status tikc_checker_create(const tikc_contract* from, tikc_checker** out) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_checker_destroy(tikc_checker* of) TIKC_C_NOEXCEPT;

/* The clock starts here, or at the first evaluation. TIKC_VALUE as of an evaluation. */
TIKC_C_API tikc_status tikc_checker_start(tikc_checker* of, double now) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_checker_merge(tikc_checker* into, const tikc_tally* other) TIKC_C_NOEXCEPT;

/* Once a stage window. `now` is in seconds from any start, negative too. TIKC_VALUE if it is not
   finite, or before the last evaluation or start: then nothing is evaluated. */
TIKC_C_API tikc_status tikc_checker_evaluate(tikc_checker* of, double now) TIKC_C_NOEXCEPT;

/* The trainer's step ends here: windows of steps end by this alone, with what was merged before. A
   contract may have none. */
TIKC_C_API tikc_status tikc_checker_end_step(tikc_checker* of) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_checker_verdict(const tikc_checker* of, uint32_t clause, uint32_t slice, uint32_t* verdict) TIKC_C_NOEXCEPT;

/* Whether the last evaluation brought nothing new of a clause, whose verdict is that of a window
   before. */
TIKC_C_API tikc_status tikc_checker_is_kept(const tikc_checker* of, uint32_t clause, uint32_t slice, uint32_t* out) TIKC_C_NOEXCEPT;

/* Whether something came, before the last evaluation, to a slice whose declared weight is 0. */
TIKC_C_API tikc_status tikc_checker_is_unexpected(const tikc_checker* of, uint32_t slice, uint32_t* out) TIKC_C_NOEXCEPT;

/* Of a check about the mixture of slices, the slice does not matter. */
TIKC_C_API tikc_status tikc_checker_finding(const tikc_checker* of, uint32_t check, uint32_t slice, tikc_finding* out) TIKC_C_NOEXCEPT;

/* What was seen of an assumption since the checker was made, on all slices. */
TIKC_C_API tikc_status tikc_checker_assumption(const tikc_checker* of, uint32_t assumption, tikc_watched* out) TIKC_C_NOEXCEPT;

/* TIKC_SHOWN where the checks that prove it are satisfied and no assumption is broken; else why not. */
TIKC_C_API tikc_status tikc_checker_claim(const tikc_checker* of, uint32_t claim, uint32_t* state) TIKC_C_NOEXCEPT;

/* Verdicts, and a tally's volumes and histograms. For Prometheus let the tally never be cleared. */
TIKC_C_API tikc_status tikc_checker_write_json(const tikc_checker* of, const tikc_tally* observed, tikc_sink sink, void* context) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_checker_write_prometheus(const tikc_checker* of, const tikc_tally* observed, tikc_sink sink, void* context) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_checker_write_openmetrics(const tikc_checker* of, const tikc_tally* observed, tikc_sink sink, void* context) TIKC_C_NOEXCEPT;

/* Routers: what the escalation policy does of the verdicts. */
TIKC_C_API tikc_status tikc_router_create(const tikc_contract* from, tikc_router** out) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_router_destroy(tikc_router* of) TIKC_C_NOEXCEPT;
TIKC_C_API const char* tikc_router_rule_name(const tikc_contract* of, uint32_t rule) TIKC_C_NOEXCEPT;

/* Once after each evaluation. */
TIKC_C_API tikc_status tikc_router_tick(tikc_router* of, const tikc_checker* judged, uint32_t stage) TIKC_C_NOEXCEPT;

/* The same for a checker elsewhere: for each clause, a verdict on each slice, and TIKC_KEPT where
   it is kept. */
TIKC_C_API tikc_status tikc_router_tick_verdicts(tikc_router* of, const uint8_t* verdicts, size_t count, uint32_t stage) TIKC_C_NOEXCEPT;

/* Of the last tick or reset. With TIKC_ROOM, count is how many there are. */
TIKC_C_API tikc_status tikc_router_transitions(const tikc_router* of, tikc_transition* out, size_t room, size_t* count) TIKC_C_NOEXCEPT;

/* The strongest action that moves traffic, or TIKC_AS_USUAL. */
TIKC_C_API tikc_status tikc_router_decide(const tikc_router* of, uint32_t slice, tikc_action* out) TIKC_C_NOEXCEPT;

/* Each action of each active rule. */
TIKC_C_API tikc_status tikc_router_visit(const tikc_router* of, uint32_t slice, tikc_visit visit, void* context) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_router_is_active(const tikc_router* of, uint32_t rule, uint32_t slice, uint32_t* out) TIKC_C_NOEXCEPT;

/* The only way out of a latch. */
TIKC_C_API tikc_status tikc_router_reset(tikc_router* of, uint32_t rule, uint32_t slice) TIKC_C_NOEXCEPT;

/* How many bytes it is now, serialised. */
TIKC_C_API tikc_status tikc_router_wire_size(const tikc_router* of, size_t* bytes) TIKC_C_NOEXCEPT;

/* Sets bytes to what was written, or with TIKC_ROOM to what is needed. */
TIKC_C_API tikc_status tikc_router_serialise(const tikc_router* of, void* to, size_t room, size_t* bytes) TIKC_C_NOEXCEPT;

/* Of whatever bytes: it becomes what was serialised, or stays as it was. */
TIKC_C_API tikc_status tikc_router_parse(tikc_router* into, const void* bytes, size_t size) TIKC_C_NOEXCEPT;

/* What a trainer logs of a batch, under its names and with its reductions; NULL where there are not
   so many trainers. */
TIKC_C_API const char* tikc_trainer_name(uint32_t trainer) TIKC_C_NOEXCEPT;

/* The cap is the one on importance weights; 0 is what the trainer has by default. */
TIKC_C_API tikc_status tikc_batch_create(uint32_t trainer, double cap, tikc_batch** out) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_batch_destroy(tikc_batch* of) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_batch_clear(tikc_batch* of) TIKC_C_NOEXCEPT;

/* TIKC_OBJECT where the other is of another trainer or has another cap. */
TIKC_C_API tikc_status tikc_batch_merge(tikc_batch* into, const tikc_batch* other) TIKC_C_NOEXCEPT;

/* A whole response. */
TIKC_C_API tikc_status tikc_batch_add(tikc_batch* of, const tikc_tokens* tokens) TIKC_C_NOEXCEPT;

/* The value is NaN where no token counts, and where the trainer's would be. */
TIKC_C_API tikc_status tikc_batch_figures(const tikc_batch* of, uint32_t* count) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_batch_figure(const tikc_batch* of, uint32_t figure, const char** name, double* value) TIKC_C_NOEXCEPT;

/* What faults leave behind in log-probs of responses, of whichever contract, in sums of a fixed size. */
TIKC_C_API tikc_status tikc_signs_create(tikc_signs** out) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_signs_destroy(tikc_signs* of) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_signs_clear(tikc_signs* of) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_signs_merge(tikc_signs* into, const tikc_signs* other) TIKC_C_NOEXCEPT;

/* A whole response, with the trainer's step and the version of the weights that drew it; NaN is one
   that nobody knows. */
TIKC_C_API tikc_status tikc_signs_add(tikc_signs* of, const tikc_tokens* tokens, double step, double version) TIKC_C_NOEXCEPT;

/* Evidence: what `tikc measure --evidence` writes and `tikc merge` joins. Where TIKC_REFUSED is
   returned, the sink is told why, and nothing else changes. */
TIKC_C_API tikc_status tikc_evidence_create(const tikc_tally* observed, const tikc_piece* piece, tikc_evidence** out) TIKC_C_NOEXCEPT;

/* The same with signs of the responses, which a diagnosis is made of. */
TIKC_C_API tikc_status tikc_evidence_create_with(const tikc_tally* observed, const tikc_signs* signs, const tikc_piece* piece, tikc_evidence** out) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_evidence_destroy(tikc_evidence* of) TIKC_C_NOEXCEPT;

/* Of whatever bytes, which a reason calls by the name. */
TIKC_C_API tikc_status tikc_evidence_read(const void* bytes, size_t size, const char* name, tikc_evidence** out, tikc_sink sink, void* context) TIKC_C_NOEXCEPT;

/* Sets bytes to what was written, or with TIKC_ROOM to what is needed. The same pieces are the same bytes. */
TIKC_C_API tikc_status tikc_evidence_serialise(const tikc_evidence* of, void* to, size_t room, size_t* bytes) TIKC_C_NOEXCEPT;

/* Evidence of another contract, build, digest or stage is refused unless that is allowed, by 1. */
TIKC_C_API tikc_status tikc_evidence_merge(tikc_evidence* into, const tikc_evidence* other, uint32_t allows_other, tikc_sink sink, void* context) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_evidence_summary(const tikc_evidence* of, tikc_summary* out) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_evidence_origin(const tikc_evidence* of, uint32_t origin, tikc_origin* out) TIKC_C_NOEXCEPT;

/* Held against a contract, as `tikc measure --format=json` writes it. */
TIKC_C_API tikc_status tikc_evidence_measure(const tikc_evidence* of, const tikc_contract* contract, uint32_t allows_other, tikc_sink sink, void* context) TIKC_C_NOEXCEPT;

/* What faults the signs in it are consistent with, as `tikc diagnose --format=json` writes it. */
TIKC_C_API tikc_status tikc_evidence_diagnose(const tikc_evidence* of, tikc_sink sink, void* context) TIKC_C_NOEXCEPT;

/* The same as a page, as `tikc measure --report` writes it; without derivations. */
TIKC_C_API tikc_status tikc_evidence_report(const tikc_evidence* of, const tikc_contract* contract, uint32_t allows_other, tikc_sink sink, void* context) TIKC_C_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
