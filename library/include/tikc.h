/* libtikc reads, checks and runs contracts in any process, without a compiler. Its checkers and
   routers give the same findings and write the same bytes as the code from `tikc emit cpp`.

   The functions of tallies, checkers and routers are those of an emitted C interface, with `tikc_`
   instead of the contract's prefix. Their arguments, checks and statuses are the same. There are
   two differences: the create functions take a contract first, because its sizes are known only at
   run time, and the library allocates the objects.

   Threads: documents and contracts never change; any number of threads may use one while no thread
   destroys it. Any other object belongs to one thread at a time. Nothing else is shared.

   Lifetimes: an object keeps what it needs of the object that it was made from, so either may be
   destroyed first. Strings are UTF-8, end in a zero byte, and live as long as the object that
   returned them.

   Errors: every function checks its arguments, and no function throws. Mixing objects of different
   contracts returns TIKC_OBJECT. A pointer to a destroyed object is detected until its memory is
   reused. If memory runs out, functions return TIKC_MEMORY. While a contract is read, the process
   may end instead, because GMP and LLVM cannot report it. */
#ifndef TIKC_H
#define TIKC_H

#include "tikc/c_types.h"

/* One declaration per line, so that programs can parse this file. */
/* clang-format off */

/* The version of this interface. A library with another number is incompatible. */
#define TIKC_ABI 4

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tikc_document tikc_document; /* a file or text that was read and checked */
typedef struct tikc_contract tikc_contract; /* one contract of a document, ready to run */
typedef struct tikc_request tikc_request;
typedef struct tikc_tally tikc_tally;
typedef struct tikc_checker tikc_checker;
typedef struct tikc_router tikc_router;
typedef struct tikc_batch tikc_batch; /* the metrics that a trainer would log for some responses */
typedef struct tikc_signs tikc_signs; /* signs of faults in log-probs */
typedef struct tikc_evidence tikc_evidence; /* recorded observations, in pieces */

/* The severity of a diagnostic. */
enum { TIKC_NOTE = 1, TIKC_WARNING = 2, TIKC_ERROR = 3 };

/* The verdict on a claim. */
enum { TIKC_PROVED = 0, TIKC_REFUTED = 1, TIKC_UNPROVED = 2 };

/* A range of a file: the bytes from `begin` to `end`. Lines and columns count from 1; a column is
   a character. */
typedef struct tikc_place {
  const char* file;
  uint32_t begin, end;
  uint32_t line, column;
  uint32_t end_line, end_column;
} tikc_place;

/* A finding of `tikc check`. The label is the short text under the carets. The last three members
   count the diagnostic's notes, related places and fixes. */
typedef struct tikc_diagnostic {
  const char* code; /* TK5001 */
  const char* name; /* UnknownMetric */
  const char* message;
  const char* label;
  tikc_place place;
  uint32_t severity;
  uint32_t notes, related, fixes;
} tikc_diagnostic;

/* Another place that helps to explain a diagnostic. */
typedef struct tikc_related {
  const char* message;
  tikc_place place;
} tikc_related;

/* One way to resolve a diagnostic. Apply all of its edits or none. A safe fix keeps or restores
   what the author plainly meant. */
typedef struct tikc_fix {
  const char* title;
  uint32_t is_safe;
  uint32_t edits;
} tikc_fix;

/* A replacement of the text at `place` by `text`. */
typedef struct tikc_edit {
  const char* text;
  tikc_place place;
} tikc_edit;

/* A claim, with the slices that share this verdict. `*` is the mixture of slices; a contract
   without slices lists none. Unknown strings are empty. */
typedef struct tikc_claim {
  const char* contract;
  const char* name;
  const char* asked;  /* <= 0.065 */
  const char* proved; /* the bound that was proved */
  const char* slack;  /* 1.2% */
  const char* const* slices;
  uint32_t slice_count;
  uint32_t verdict;
  uint32_t is_draft; /* the contract is a draft: an unproved claim is a warning */
} tikc_claim;

/* Figures of a pair of rows, as the language reference defines them. */
enum {
  TIKC_ROW_LOGIT_LINF = 0,
  TIKC_ROW_LOGIT_OSC = 1,
  TIKC_ROW_LOGIT_L2 = 2,
  TIKC_ROW_LOGIT_REL = 3,
  TIKC_ROW_LOGPROB_LINF = 4,
  TIKC_ROW_TV = 5,
  TIKC_ROW_HELLINGER = 6,
  TIKC_ROW_KL_TRAIN_INFER = 7,
  TIKC_ROW_KL_INFER_TRAIN = 8,
  TIKC_ROW_JS = 9,
  TIKC_ROW_CHI2 = 10,
  TIKC_ROW_TOP1_FLIP = 11,
  TIKC_ROW_TOP1_MARGIN = 12,
  TIKC_ROW_ENTROPY_GAP = 13,
  TIKC_ROW_MISSING_MASS = 14,
  TIKC_ROW_NONFINITE = 15,
  TIKC_ROW_FIGURES = 16
};

/* How a stream reduces a pair of rows. */
typedef struct tikc_row_plan {
  double train_temperature, infer_temperature;
  uint32_t wants;        /* bit i is set if figure i is used */
  uint32_t is_reducible; /* 0 if the figures depend on cuts such as top-p: pass whole rows */
  uint32_t is_lenient;   /* 1 if tokens that only the inference masks are missing mass, not faults */
} tikc_row_plan;

/* Pairs of rows in the memory of an NVIDIA GPU, in its primary context, which CUDA's runtime and
   PyTorch use. Strides are in elements; the elements of a row are adjacent. */
typedef struct tikc_device_rows {
  const void* train;
  const void* infer;
  size_t train_stride, infer_stride; /* from row to row */
  size_t tokens;                     /* the contract's vocabulary */
  void* stream;                      /* a CUstream of that context, on which the rows are ready; null: its default stream */
  uint32_t train_format, infer_format;
  uint32_t device; /* the driver's index of the GPU */
} tikc_device_rows;

/* A field of a request that slices may depend on. */
typedef struct tikc_field {
  const char* name;
  const char* const* values; /* the values of a label; without any, the field takes any text */
  uint32_t value_count;
  uint32_t is_text;
} tikc_field;

/* Where the observations of a tally come from. A piece is identified by its source and its place
   there, and counts once, however often it is merged. Unknown numbers are NaN. */
typedef struct tikc_piece {
  const char* source; /* the name under which it is reported */
  const char* stage;  /* of the promotion; empty if there is none */
  uint64_t place;
  uint64_t failed; /* observations that failed and are not in the tally */
  double step;     /* the trainer's step */
  double begins, ends; /* seconds since 1970 */
  uint32_t token_bits; /* low bits of an id that hold the token, from 1 on; the rest is the observation */
} tikc_piece;

/* Totals of evidence. `first` and `last` are NaN if no piece has a time. */
typedef struct tikc_summary {
  uint64_t pieces, sources;
  uint64_t tokens, responses, rows, failed;
  double first, last;
  uint32_t origins;
} tikc_summary;

/* The contract, build, digest and stage under which some pieces were observed. The strings live
   until something is merged into the evidence. */
typedef struct tikc_origin {
  const char* contract;
  const char* version;
  const char* build;
  const char* digest;
  const char* stage;
  uint64_t fingerprint;
  uint64_t pieces;
} tikc_origin;

/* Returns the TIKC_ABI of the library. If it differs from the header's, call nothing else. */
TIKC_C_API uint32_t tikc_abi(void) TIKC_C_NOEXCEPT;

/* Returns the version of tikc. */
TIKC_C_API const char* tikc_version(void) TIKC_C_NOEXCEPT;

/* Returns the name of a status, or NULL if there is no such status. */
TIKC_C_API const char* tikc_status_name(uint32_t status) TIKC_C_NOEXCEPT;

/* Documents.

   Reads and checks a file, with the tikc.yaml that applies to it and the contracts that it extends.
   Faults of its contracts are diagnostics, not a status. TIKC_FILE means that the file cannot be
   read; TIKC_FAULT means that tikc itself failed. Both still set `*out`, and the document's message
   gives the reason. The document owns the message. */
TIKC_C_API tikc_status tikc_open(const char* path, tikc_document** out) TIKC_C_NOEXCEPT;

/* Reads and checks a text, as tikc_open does a file. If a name is given, diagnostics use it, and
   files that the text extends are looked up next to it. */
TIKC_C_API tikc_status tikc_read(const char* text, size_t size, const char* name, tikc_document** out) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_document_destroy(tikc_document* document) TIKC_C_NOEXCEPT;

/* Returns why nothing could be read, or an empty string if it could. */
TIKC_C_API const char* tikc_document_message(const tikc_document* document) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_document_counts(const tikc_document* document, uint32_t* diagnostics, uint32_t* claims, uint32_t* contracts) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_document_diagnostic(const tikc_document* document, uint32_t diagnostic, tikc_diagnostic* out) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_document_note(const tikc_document* document, uint32_t diagnostic, uint32_t note, const char** out) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_document_related(const tikc_document* document, uint32_t diagnostic, uint32_t related, tikc_related* out) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_document_fix(const tikc_document* document, uint32_t diagnostic, uint32_t fix, tikc_fix* out) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_document_edit(const tikc_document* document, uint32_t diagnostic, uint32_t fix, uint32_t edit, tikc_edit* out) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_document_claim(const tikc_document* document, uint32_t claim, tikc_claim* out) TIKC_C_NOEXCEPT;

/* Writes the whole result, as `tikc check --alone --format=json` does. */
TIKC_C_API tikc_status tikc_document_write_json(const tikc_document* document, tikc_sink sink, void* context) TIKC_C_NOEXCEPT;

/* Returns a contract that may run. TIKC_REFUSED if it must not: the file has errors, or the
   contract is abstract or has nothing to check. tikc_document_refusal gives the reason. */
TIKC_C_API tikc_status tikc_document_contract(const tikc_document* document, uint32_t contract, tikc_contract** out) TIKC_C_NOEXCEPT;

/* Returns why a contract must not run, or an empty string if it may. */
TIKC_C_API tikc_status tikc_document_refusal(const tikc_document* document, uint32_t contract, const char** out) TIKC_C_NOEXCEPT;

/* Contracts. Functions that do not return a status return NULL or 0 if `of` is not a contract. */
TIKC_C_API tikc_status tikc_contract_destroy(tikc_contract* contract) TIKC_C_NOEXCEPT;
TIKC_C_API const char* tikc_contract_name(const tikc_contract* contract) TIKC_C_NOEXCEPT;
TIKC_C_API const char* tikc_contract_version(const tikc_contract* contract) TIKC_C_NOEXCEPT;

/* Returns 1 if the contract is a draft: its claims need not be proved, because its subject is not
   promoted. */
TIKC_C_API uint32_t tikc_contract_is_draft(const tikc_contract* contract) TIKC_C_NOEXCEPT;

/* Returns the build of the serving kernel, or an empty string if the contract does not name one. */
TIKC_C_API const char* tikc_contract_build(const tikc_contract* contract) TIKC_C_NOEXCEPT;

/* Returns the digest of the weights, or an empty string if the contract does not name one. */
TIKC_C_API const char* tikc_contract_digest(const tikc_contract* contract) TIKC_C_NOEXCEPT;

/* Returns a hash of everything that gives the contract's numbers their meaning. Tallies with the
   same fingerprint can be merged, including those of emitted checkers. */
TIKC_C_API uint64_t tikc_contract_fingerprint(const tikc_contract* contract) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_contract_shape(const tikc_contract* contract, tikc_shape* out) TIKC_C_NOEXCEPT;

/* These return NULL if the index is out of range. */
TIKC_C_API const char* tikc_contract_slice_name(const tikc_contract* contract, uint32_t slice) TIKC_C_NOEXCEPT;
TIKC_C_API const char* tikc_contract_stream_name(const tikc_contract* contract, uint32_t stream) TIKC_C_NOEXCEPT;
TIKC_C_API const char* tikc_contract_stage_name(const tikc_contract* contract, uint32_t stage) TIKC_C_NOEXCEPT;
TIKC_C_API const char* tikc_contract_clause_name(const tikc_contract* contract, uint32_t clause) TIKC_C_NOEXCEPT;
TIKC_C_API const char* tikc_contract_check_text(const tikc_contract* contract, uint32_t check) TIKC_C_NOEXCEPT;

/* Returns the checks of a clause, [first, first + count). All of them must hold. */
TIKC_C_API tikc_status tikc_contract_clause_checks(const tikc_contract* contract, uint32_t clause, uint32_t* first, uint32_t* count) TIKC_C_NOEXCEPT;

/* Sets `kept[i]` to 1 if token i counts and meets every bound on single tokens, such as the bound
   of a check on the largest value; else to 0. */
TIKC_C_API tikc_status tikc_contract_within(const tikc_contract* contract, uint32_t stream, uint32_t slice, const tikc_tokens* tokens, uint8_t* kept) TIKC_C_NOEXCEPT;

/* Sets `*kept` to 1 if a response meets every bound on single responses, else to 0. Call it with
   the whole response, before it is ended. */
TIKC_C_API tikc_status tikc_contract_within_response(const tikc_contract* contract, uint32_t stream, uint32_t slice, const tikc_sequence* response, uint32_t* kept) TIKC_C_NOEXCEPT;

/* Returns an assumption that claims take as given; TIKC_RANGE after the last. */
TIKC_C_API tikc_status tikc_contract_assumption(const tikc_contract* contract, uint32_t assumption, tikc_assumption* out) TIKC_C_NOEXCEPT;

/* These return the name and text of a claim, and whether its proof needs an assumption. */
TIKC_C_API const char* tikc_contract_claim_name(const tikc_contract* contract, uint32_t claim) TIKC_C_NOEXCEPT;
TIKC_C_API const char* tikc_contract_claim_text(const tikc_contract* contract, uint32_t claim) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_contract_claim_rests_on(const tikc_contract* contract, uint32_t claim, uint32_t assumption, uint32_t* out) TIKC_C_NOEXCEPT;

/* Returns a check that the claim's proof rests on, and the slice that the proof uses (0 if the
   check is about the mixture). `place` counts from 0; TIKC_RANGE after the last. */
TIKC_C_API tikc_status tikc_contract_claim_ground(const tikc_contract* contract, uint32_t claim, uint32_t place, uint32_t* check, uint32_t* slice) TIKC_C_NOEXCEPT;

/* Returns how many request fields slices may depend on. Their numbers count fields first, then
   labels. */
TIKC_C_API tikc_status tikc_contract_fields(const tikc_contract* contract, uint32_t* count) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_contract_field(const tikc_contract* contract, uint32_t field, tikc_field* out) TIKC_C_NOEXCEPT;

/* Returns the number of a field; TIKC_RANGE if no field has that name. */
TIKC_C_API tikc_status tikc_contract_find_field(const tikc_contract* contract, const char* name, uint32_t* field) TIKC_C_NOEXCEPT;

/* Returns the numbers that slices compare a field with, in ascending order. Between two of them, a
   request's slice does not depend on the field. There are none if no slice uses the field, or if it
   is a text. With TIKC_ROOM, `*count` is how many there are. */
TIKC_C_API tikc_status tikc_contract_bounds(const tikc_contract* contract, uint32_t field, double* out, size_t room, size_t* count) TIKC_C_NOEXCEPT;

/* Observes whole responses, each of one slice: all of them, or none if any is invalid. Equivalent
   to tikc_tally_observe_response and tikc_tally_end_response for each response. */
TIKC_C_API tikc_status tikc_observe_responses(tikc_tally* tally, uint32_t stream, const uint32_t* places, const tikc_tokens* responses, const uint64_t* ids, size_t size) TIKC_C_NOEXCEPT;

/* Returns how a stream reduces a pair of rows, for callers that reduce them elsewhere, such as on a
   GPU. */
TIKC_C_API tikc_status tikc_contract_rows(const tikc_contract* contract, uint32_t stream, tikc_row_plan* out) TIKC_C_NOEXCEPT;

/* Observes rows that were reduced elsewhere: all of them, or none if a place is out of range. Each
   has TIKC_ROW_FIGURES figures, in the order of the enumeration; figures that the plan does not
   want are ignored. NaN, or a figure out of its range, is unknown. TIKC_VALUE if the plan is not
   reducible. Rows with NaN, +inf or a token that one side masks have rules that depend on the plan:
   pass them to tikc_tally_observe_row. */
TIKC_C_API tikc_status tikc_observe_row_figures(tikc_tally* tally, uint32_t stream, const uint32_t* places, const double* figures, const uint64_t* ids, size_t size) TIKC_C_NOEXCEPT;

/* Reduces rows where they are, and observes them: all, or none. Returns when they are observed. The
   first call for a stream and two formats compiles kernels, which takes some seconds, and keeps
   them in the user's cache. TIKC_UNSUPPORTED if this machine cannot reduce them; then the reason is
   written. TIKC_VALUE if the plan is not reducible. */
TIKC_C_API tikc_status tikc_observe_device_rows(tikc_tally* tally, uint32_t stream, const uint32_t* places, const tikc_device_rows* rows, const uint64_t* ids, size_t size, tikc_sink reason, void* context) TIKC_C_NOEXCEPT;

/* Writes which value is not a log-prob, if these tokens would be refused with TIKC_VALUE; else
   writes nothing. */
TIKC_C_API tikc_status tikc_tokens_refused(const tikc_tokens* tokens, tikc_sink sink, void* context) TIKC_C_NOEXCEPT;

/* Requests. A new or cleared request has all numbers 0 and all texts empty. */
TIKC_C_API tikc_status tikc_request_create(const tikc_contract* from, tikc_request** out) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_request_destroy(tikc_request* request) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_request_clear(tikc_request* request) TIKC_C_NOEXCEPT;

/* These set a field. TIKC_VALUE if the field is of the other kind, or if the text is not a value of
   the label. An empty text removes the label. */
TIKC_C_API tikc_status tikc_request_set_number(tikc_request* request, uint32_t field, double value) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_request_set_text(tikc_request* request, uint32_t field, const char* text, size_t size) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_slice_of(const tikc_request* request, uint32_t* slice) TIKC_C_NOEXCEPT;

/* Tallies. A tally holds the observations of one worker. Tallies merge in any order, and can be
   serialised. */
TIKC_C_API tikc_status tikc_tally_create(const tikc_contract* from, tikc_tally** out) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_tally_destroy(tikc_tally* tally) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_tally_clear(tikc_tally* tally) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_tally_merge(tikc_tally* into, const tikc_tally* other) TIKC_C_NOEXCEPT;

/* Counts tokens and requests that were served, observed or not. Sampling clauses require that a
   share of them is observed. */
TIKC_C_API tikc_status tikc_tally_serve(tikc_tally* tally, uint32_t slice, uint64_t tokens, uint64_t requests) TIKC_C_NOEXCEPT;

/* Records numbers that assumptions may be about, such as the rewards of responses (TIKC_REWARD). */
TIKC_C_API tikc_status tikc_tally_hand_in(tikc_tally* tally, uint32_t quantity, const tikc_numbers* numbers) TIKC_C_NOEXCEPT;

/* Observes a pair of logit rows. `scratch` has the size given by tikc_shape and any alignment; no
   other thread may use it meanwhile. */
TIKC_C_API tikc_status tikc_tally_observe_row(tikc_tally* tally, uint32_t stream, uint32_t slice, const tikc_row* train, const tikc_row* infer, void* scratch, size_t scratch_bytes, uint64_t id) TIKC_C_NOEXCEPT;

/* Observes tokens of one slice. */
TIKC_C_API tikc_status tikc_tally_observe_tokens(tikc_tally* tally, uint32_t stream, uint32_t slice, const tikc_tokens* tokens) TIKC_C_NOEXCEPT;

/* Observes tokens of several slices: `slices[i]` is the slice of token i. `*strays` counts tokens
   whose slice index is out of range; they are ignored. */
TIKC_C_API tikc_status tikc_tally_observe_mixed_tokens(tikc_tally* tally, uint32_t stream, const uint8_t* slices, const tikc_tokens* tokens, void* scratch, size_t scratch_bytes, uint64_t* strays) TIKC_C_NOEXCEPT;

/* Observes tokens of one response, which may come in several batches. */
TIKC_C_API tikc_status tikc_tally_observe_response(tikc_tally* tally, uint32_t stream, uint32_t slice, const tikc_tokens* tokens, tikc_sequence* response) TIKC_C_NOEXCEPT;

/* Ends a response and resets `*response` to a new one. */
TIKC_C_API tikc_status tikc_tally_end_response(tikc_tally* tally, uint32_t stream, uint32_t slice, tikc_sequence* response, uint64_t id) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_tally_observe_request(tikc_tally* tally, uint32_t slice, const tikc_request_times* times, uint64_t id) TIKC_C_NOEXCEPT;

/* Observes the largest log-prob change of a request's tokens when run in another batch. */
TIKC_C_API tikc_status tikc_tally_observe_batch_replay(tikc_tally* tally, uint32_t slice, double drift, uint64_t id) TIKC_C_NOEXCEPT;

/* Observes the largest log-prob change of a request's tokens when run again. */
TIKC_C_API tikc_status tikc_tally_observe_request_replay(tikc_tally* tally, uint32_t slice, double drift, uint64_t id) TIKC_C_NOEXCEPT;

/* Observes the share of layers whose set of experts differs. */
TIKC_C_API tikc_status tikc_tally_observe_routes(tikc_tally* tally, uint32_t stream, uint32_t slice, double share, uint64_t id) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_tally_volume(const tikc_tally* tally, uint32_t slice, tikc_volume* out) TIKC_C_NOEXCEPT;

/* Returns how many bytes the tally takes when serialised. */
TIKC_C_API tikc_status tikc_tally_wire_size(const tikc_tally* tally, size_t* bytes) TIKC_C_NOEXCEPT;

/* Serialises a tally. Sets `*bytes` to the size written, or with TIKC_ROOM to the size needed. */
TIKC_C_API tikc_status tikc_tally_serialise(const tikc_tally* tally, void* to, size_t room, size_t* bytes) TIKC_C_NOEXCEPT;

/* Reads a serialised tally into `*into`. Any bytes are safe; on failure it does not change. */
TIKC_C_API tikc_status tikc_tally_parse(tikc_tally* into, const void* bytes, size_t size) TIKC_C_NOEXCEPT;

/* Checkers. A checker judges the clauses from merged tallies. */
TIKC_C_API tikc_status tikc_checker_create(const tikc_contract* from, tikc_checker** out) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_checker_destroy(tikc_checker* checker) TIKC_C_NOEXCEPT;

/* Starts the clock; by default it starts at the first evaluation. TIKC_VALUE as for
   tikc_checker_evaluate. */
TIKC_C_API tikc_status tikc_checker_start(tikc_checker* checker, double now) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_checker_merge(tikc_checker* into, const tikc_tally* other) TIKC_C_NOEXCEPT;

/* Judges what was merged. Call it once per stage window. `now` is in seconds from any origin, and
   may be negative. If it is not finite, or is before the last evaluation or start, nothing is
   evaluated, and TIKC_VALUE is returned. */
TIKC_C_API tikc_status tikc_checker_evaluate(tikc_checker* checker, double now) TIKC_C_NOEXCEPT;

/* Ends the trainer's step. Step windows end only with this call, and cover what was merged before
   it. A contract may have no step windows. */
TIKC_C_API tikc_status tikc_checker_end_step(tikc_checker* checker) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_checker_verdict(const tikc_checker* checker, uint32_t clause, uint32_t slice, uint32_t* verdict) TIKC_C_NOEXCEPT;

/* Returns whether the last evaluation had nothing new for a clause, so that the verdict is that of
   an earlier window. */
TIKC_C_API tikc_status tikc_checker_is_kept(const tikc_checker* checker, uint32_t clause, uint32_t slice, uint32_t* out) TIKC_C_NOEXCEPT;

/* Returns whether a slice with a declared weight of 0 got data before the last evaluation. */
TIKC_C_API tikc_status tikc_checker_is_unexpected(const tikc_checker* checker, uint32_t slice, uint32_t* out) TIKC_C_NOEXCEPT;

/* Returns the finding of a check on a slice. For a check on the mixture, any slice will do. */
TIKC_C_API tikc_status tikc_checker_finding(const tikc_checker* checker, uint32_t check, uint32_t slice, tikc_finding* out) TIKC_C_NOEXCEPT;

/* Returns what was seen of an assumption since the checker was created, over all slices. */
TIKC_C_API tikc_status tikc_checker_assumption(const tikc_checker* checker, uint32_t assumption, tikc_watched* out) TIKC_C_NOEXCEPT;

/* Returns the state of a claim: TIKC_SHOWN if the checks that prove it are satisfied and no
   assumption is broken; else why it is not shown. */
TIKC_C_API tikc_status tikc_checker_claim(const tikc_checker* checker, uint32_t claim, uint32_t* state) TIKC_C_NOEXCEPT;

/* These write the verdicts, and the volumes and histograms of a tally. For Prometheus, use a tally
   that is never cleared. */
TIKC_C_API tikc_status tikc_checker_write_json(const tikc_checker* checker, const tikc_tally* observed, tikc_sink sink, void* context) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_checker_write_prometheus(const tikc_checker* checker, const tikc_tally* observed, tikc_sink sink, void* context) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_checker_write_openmetrics(const tikc_checker* checker, const tikc_tally* observed, tikc_sink sink, void* context) TIKC_C_NOEXCEPT;

/* Routers. A router applies the escalation policy to the verdicts. */
TIKC_C_API tikc_status tikc_router_create(const tikc_contract* from, tikc_router** out) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_router_destroy(tikc_router* router) TIKC_C_NOEXCEPT;
TIKC_C_API const char* tikc_router_rule_name(const tikc_contract* contract, uint32_t rule) TIKC_C_NOEXCEPT;

/* Updates the rules. Call it once after each evaluation. */
TIKC_C_API tikc_status tikc_router_tick(tikc_router* router, const tikc_checker* judged, uint32_t stage) TIKC_C_NOEXCEPT;

/* Updates the rules from the verdicts of a checker elsewhere. `verdicts` has, for each clause, one
   verdict per slice, with TIKC_KEPT added if the verdict is kept. */
TIKC_C_API tikc_status tikc_router_tick_verdicts(tikc_router* router, const uint8_t* verdicts, size_t count, uint32_t stage) TIKC_C_NOEXCEPT;

/* Returns the changes of the last tick or reset. With TIKC_ROOM, `*count` is how many there are. */
TIKC_C_API tikc_status tikc_router_transitions(const tikc_router* router, tikc_transition* out, size_t room, size_t* count) TIKC_C_NOEXCEPT;

/* Returns the strongest action that moves traffic, or TIKC_AS_USUAL. */
TIKC_C_API tikc_status tikc_router_decide(const tikc_router* router, uint32_t slice, tikc_action* out) TIKC_C_NOEXCEPT;

/* Calls `visit` for each action of each active rule. */
TIKC_C_API tikc_status tikc_router_visit(const tikc_router* router, uint32_t slice, tikc_visit visit, void* context) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_router_is_active(const tikc_router* router, uint32_t rule, uint32_t slice, uint32_t* out) TIKC_C_NOEXCEPT;

/* Resets a rule on a slice. A latched rule ends no other way. */
TIKC_C_API tikc_status tikc_router_reset(tikc_router* router, uint32_t rule, uint32_t slice) TIKC_C_NOEXCEPT;

/* Returns how many bytes the router takes when serialised. */
TIKC_C_API tikc_status tikc_router_wire_size(const tikc_router* router, size_t* bytes) TIKC_C_NOEXCEPT;

/* Serialises a router. Sets `*bytes` to the size written, or with TIKC_ROOM to the size needed. */
TIKC_C_API tikc_status tikc_router_serialise(const tikc_router* router, void* to, size_t room, size_t* bytes) TIKC_C_NOEXCEPT;

/* Reads a serialised router into `*into`. Any bytes are safe; on failure it does not change. */
TIKC_C_API tikc_status tikc_router_parse(tikc_router* into, const void* bytes, size_t size) TIKC_C_NOEXCEPT;

/* Batches. A batch computes the metrics that a trainer logs, with the trainer's names and
   reductions.

   Returns the name of a trainer; NULL after the last. */
TIKC_C_API const char* tikc_trainer_name(uint32_t trainer) TIKC_C_NOEXCEPT;

/* Creates a batch. `cap` is the cap on importance weights; 0 selects the trainer's default. */
TIKC_C_API tikc_status tikc_batch_create(uint32_t trainer, double cap, tikc_batch** out) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_batch_destroy(tikc_batch* batch) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_batch_clear(tikc_batch* batch) TIKC_C_NOEXCEPT;

/* Merges two batches. TIKC_OBJECT if they differ in trainer or cap. */
TIKC_C_API tikc_status tikc_batch_merge(tikc_batch* into, const tikc_batch* other) TIKC_C_NOEXCEPT;

/* Adds a whole response. */
TIKC_C_API tikc_status tikc_batch_add(tikc_batch* batch, const tikc_tokens* tokens) TIKC_C_NOEXCEPT;

/* These return how many metrics there are, and each by number. The value is NaN if no token counts,
   or if the trainer's value would be NaN. */
TIKC_C_API tikc_status tikc_batch_figures(const tikc_batch* batch, uint32_t* count) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_batch_figure(const tikc_batch* batch, uint32_t figure, const char** name, double* value) TIKC_C_NOEXCEPT;

/* Signs. They collect traces of faults in the log-probs of responses, as sums of a fixed size. They
   do not depend on a contract. */
TIKC_C_API tikc_status tikc_signs_create(tikc_signs** out) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_signs_destroy(tikc_signs* signs) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_signs_clear(tikc_signs* signs) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_signs_merge(tikc_signs* into, const tikc_signs* other) TIKC_C_NOEXCEPT;

/* Adds a whole response, with the trainer's step and the version of the weights that sampled it.
   NaN means unknown. */
TIKC_C_API tikc_status tikc_signs_add(tikc_signs* signs, const tikc_tokens* tokens, double step, double version) TIKC_C_NOEXCEPT;

/* Evidence, as `tikc measure --evidence` writes and `tikc merge` joins it. With TIKC_REFUSED, the
   sink receives the reason, and nothing else changes. */
TIKC_C_API tikc_status tikc_evidence_create(const tikc_tally* observed, const tikc_piece* piece, tikc_evidence** out) TIKC_C_NOEXCEPT;

/* Creates evidence that also holds signs of the responses, which a diagnosis needs. */
TIKC_C_API tikc_status tikc_evidence_create_with(const tikc_tally* observed, const tikc_signs* signs, const tikc_piece* piece, tikc_evidence** out) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_evidence_destroy(tikc_evidence* evidence) TIKC_C_NOEXCEPT;

/* Reads evidence. Any bytes are safe. Error messages call them `name`. */
TIKC_C_API tikc_status tikc_evidence_read(const void* bytes, size_t size, const char* name, tikc_evidence** out, tikc_sink sink, void* context) TIKC_C_NOEXCEPT;

/* Serialises the evidence. Sets `*bytes` to the size written, or with TIKC_ROOM to the size needed.
   The same pieces give the same bytes. */
TIKC_C_API tikc_status tikc_evidence_serialise(const tikc_evidence* evidence, void* to, size_t room, size_t* bytes) TIKC_C_NOEXCEPT;

/* Merges evidence. Evidence of another contract, build, digest or stage is refused unless
   `allows_other` is 1. */
TIKC_C_API tikc_status tikc_evidence_merge(tikc_evidence* into, const tikc_evidence* other, uint32_t allows_other, tikc_sink sink, void* context) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_evidence_summary(const tikc_evidence* evidence, tikc_summary* out) TIKC_C_NOEXCEPT;
TIKC_C_API tikc_status tikc_evidence_origin(const tikc_evidence* evidence, uint32_t origin, tikc_origin* out) TIKC_C_NOEXCEPT;

/* Judges the evidence by a contract. Writes the result as `tikc measure --format=json` does. */
TIKC_C_API tikc_status tikc_evidence_measure(const tikc_evidence* evidence, const tikc_contract* contract, uint32_t allows_other, tikc_sink sink, void* context) TIKC_C_NOEXCEPT;

/* Writes which faults the signs are consistent with, as `tikc diagnose --format=json` does. */
TIKC_C_API tikc_status tikc_evidence_diagnose(const tikc_evidence* evidence, tikc_sink sink, void* context) TIKC_C_NOEXCEPT;

/* Judges the evidence by a contract. Writes the result as a page, as `tikc measure --report` does,
   but without derivations. */
TIKC_C_API tikc_status tikc_evidence_report(const tikc_evidence* evidence, const tikc_contract* contract, uint32_t allows_other, tikc_sink sink, void* context) TIKC_C_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
