/* The types that the C interfaces of all contracts share, in C99. An object belongs to one thread
   at a time; nothing else is shared. */
#ifndef TIKC_C_TYPES_H
#define TIKC_C_TYPES_H

#include <stddef.h>
#include <stdint.h>

/* The version of these types and of the calling convention; another number is another interface. */
#define TIKC_C_ABI 7

#if defined(__GNUC__)
#define TIKC_C_API __attribute__((visibility("default")))
#else
#define TIKC_C_API
#endif

#ifdef __cplusplus
#define TIKC_C_NOEXCEPT noexcept
extern "C" {
#else
#define TIKC_C_NOEXCEPT
#endif

/* The result of a call. Unless it is TIKC_OK, the call had no effect, and wrote nothing but the
   size needed. */
typedef enum tikc_status {
  TIKC_OK = 0,
  TIKC_NULL = 1,      /* a required pointer is null */
  TIKC_OBJECT = 2,    /* not an object of this kind and contract, or destroyed */
  TIKC_ALIGNMENT = 3, /* a pointer is not aligned for what it points to */
  TIKC_ROOM = 4,      /* the memory provided is too small */
  TIKC_RANGE = 5,     /* a slice, stream, clause, check, rule or stage is out of range */
  TIKC_VALUE = 6,     /* an invalid format, label, verdict, time or log-prob; a time too early */
  TIKC_SIZE = 7,      /* the length of a row is not the contract's vocabulary */
  TIKC_UNBOUND = 8,   /* the clause does not apply to the slice */
  TIKC_MEMORY = 9,    /* out of memory */
  /* Results of parsing. */
  TIKC_TRUNCATED = 10,   /* the bytes end too early */
  TIKC_FOREIGN = 11,     /* not a serialised tally or router */
  TIKC_VERSION = 12,     /* an unknown format version */
  TIKC_FINGERPRINT = 13, /* serialised under another contract */
  TIKC_TRAILING = 14,    /* more bytes than the object */
  TIKC_CHECKSUM = 15,    /* the bytes are damaged */
  TIKC_PAYLOAD = 16,     /* the checksum is right, but the contents are impossible */
  /* Results of a library that reads contracts: see tikc.h. */
  TIKC_FILE = 17,       /* a file cannot be read */
  TIKC_REFUSED = 18,    /* a contract has errors, or nothing to run */
  TIKC_FAULT = 19,      /* an internal error of tikc */
  TIKC_UNSUPPORTED = 20 /* this machine cannot do it */
} tikc_status;

/* Verdicts of a clause on a slice. For a router, add TIKC_KEPT if the last evaluation had nothing
   new for the clause. */
enum { TIKC_UNDECIDED = 0, TIKC_SATISFIED = 1, TIKC_VIOLATED = 2, TIKC_UNASKED = 3, TIKC_KEPT = 4 };

/* Storage formats of logits. TIKC_FP8_E4M3 is OCP's e4m3fn, TIKC_FP8_E5M2 is IEEE-like. */
enum { TIKC_FP32 = 0, TIKC_BF16 = 1, TIKC_FP16 = 2, TIKC_FP8_E4M3 = 3, TIKC_FP8_E5M2 = 4 };

/* Actions, from the weakest to the strongest. */
enum {
  TIKC_AS_USUAL = 0, /* no action */
  TIKC_ALERT = 1,
  TIKC_SAMPLE = 2,
  TIKC_CORRECT = 3,
  TIKC_ROUTE = 4,
  TIKC_QUARANTINE = 5,
  TIKC_HOLD = 6,
  TIKC_ROLLBACK = 7
};

/* Quantities of assumptions. A program can hand in numbers of TIKC_REWARD to TIKC_LENGTH. */
enum {
  TIKC_REWARD = 0,
  TIKC_STEP_REWARD = 1,
  TIKC_ADVANTAGE = 2,
  TIKC_SCORE_NORM = 3,
  TIKC_LENGTH = 4,
  TIKC_RATIO = 5,
  TIKC_MISSING_MASS = 6,
  TIKC_UNSEEN = 7 /* no number can contradict it */
};

/* The state of an assumption. */
enum { TIKC_UNWATCHED = 0, TIKC_HELD = 1, TIKC_BROKEN = 2 };

/* The state of a claim.
   Not shown: a check that proves it is undecided, the contract does not prove it, or a `coherent`
   disproves the log-probs that it rests on.
   Suspended: an assumption that it rests on is broken.
   Withdrawn: a check that its proof uses is violated. */
enum { TIKC_SHOWN = 0, TIKC_NOT_SHOWN = 1, TIKC_SUSPENDED = 2, TIKC_WITHDRAWN = 3 };

/* Changes of a rule. */
enum { TIKC_ACTIVATED = 0, TIKC_STEPPED = 1, TIKC_RELEASED = 2, TIKC_RESET = 3 };

/* The sizes of a contract. */
typedef struct tikc_shape {
  size_t vocabulary; /* 0: not stated, and not needed by any clause */
  size_t scratch_bytes;
  uint32_t slices, streams, clauses, checks, rules, stages;
} tikc_shape;

/* Contiguous logits of one context, before any temperature, of any alignment. */
typedef struct tikc_row {
  const void* data;
  size_t tokens; /* the contract's vocabulary */
  uint32_t format;
} tikc_row;

/* Log-probs of sampled tokens from both kernels. A mask of 0 removes a token; a null mask keeps
   all. `first` is the position of the first token, and findings name extremes by position. A value
   that counts and exceeds 0 by more than 0.001, which allows for rounding, is refused as not a
   log-prob. Infinity and NaN count as the worst possible value. */
typedef struct tikc_tokens {
  const float* train;
  const float* infer;
  const uint8_t* mask;
  size_t size;
  uint64_t first;
} tikc_tokens;

/* Numbers of responses, steps or tokens that assumptions may be about. A mask of 0 removes a
   number. Mask unknown numbers: NaN is outside every range. The id of number i is first + i * step.
 */
typedef struct tikc_numbers {
  const double* values;
  const uint8_t* mask;
  size_t size;
  uint64_t first, step;
} tikc_numbers;

/* One response so far. All zeros is a new response; the members are private. There is room for more
   figures than this version has, so that a new one leaves the size as it is. */
typedef struct tikc_sequence {
  double sum, rest;
  uint64_t tokens;
  float least;
  uint32_t begun;
  double figures[32];
} tikc_sequence;

/* Times in seconds, and tokens per second. Use TIKC_ABSENT for what was not measured; 0 is a
   measurement. */
#define TIKC_ABSENT (-1.0)
typedef struct tikc_request_times {
  double latency, first_token_latency, inter_token_latency, throughput;
  uint32_t failed;
} tikc_request_times;

/* How often each input was observed, and how often it could have been. */
typedef struct tikc_volume {
  uint64_t tokens, sequences, requests, rows, routes, batch_replays, request_replays;
  uint64_t served_tokens, served_requests;
} tikc_volume;

/* An outlier, under the id that the caller gave it. */
typedef struct tikc_offender {
  double value;
  uint64_t id;
} tikc_offender;

/* The result of a check on a slice. [low, high] contains the value: a confidence interval, or the
   error bounds of a sketch. */
enum { TIKC_WORST = 4 };
typedef struct tikc_finding {
  double value, low, high;
  uint64_t observations;
  uint32_t verdict;
  uint32_t is_kept; /* from an earlier evaluation: the next window has not ended */
  uint32_t worst_count;
  tikc_offender worst[TIKC_WORST]; /* worst first; some checks keep none */
} tikc_finding;

/* An assumption: the values of a quantity are in [low, high]. */
typedef struct tikc_assumption {
  const char* key;
  const char* says;
  double low, high;
  uint32_t quantity;
} tikc_assumption;

/* Observations of an assumption; NaN if there were none. With 95% confidence, at most the share
   `outside` of future values is out of range, if values are independent. */
typedef struct tikc_watched {
  double least, greatest, outside;
  uint64_t count;
  uint64_t unknown; /* how many of these are NaN, which is outside every range */
  uint32_t state;
  uint32_t worst_count;
  tikc_offender worst[TIKC_WORST]; /* out of range, the furthest first */
} tikc_watched;

/* A change of a rule on a slice, and its cause. */
typedef struct tikc_transition {
  uint64_t tick;
  uint32_t rule, slice, change, step, stage;
  int32_t clause; /* whose verdict caused it; -1 if none did */
  uint32_t seen;  /* that verdict */
} tikc_transition;

/* An action of a rule on a slice. The text is the receiver, the input, the correction or the
   kernel. The numbers are the rate, the cap and the probe, or 0. */
typedef struct tikc_action {
  uint32_t kind, rule;
  const char* text;
  double first, second;
} tikc_action;

/* Receives a text in pieces, which are not zero-terminated. */
typedef void (*tikc_sink)(const char* piece, size_t size, void* context);
typedef void (*tikc_visit)(const tikc_action* action, void* context);

#ifdef __cplusplus
}
#endif
#endif
