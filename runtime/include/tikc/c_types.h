/* What the C interfaces of all contracts share, in C99. An object belongs to one thread at a time;
   nothing else is shared. */
#ifndef TIKC_C_TYPES_H
#define TIKC_C_TYPES_H

#include <stddef.h>
#include <stdint.h>

/* Of these types and of how functions are called; another number is another interface. */
#define TIKC_C_ABI 6

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

/* What a call came to. But for TIKC_OK nothing was done, and nothing was written but a size that
   is needed. */
typedef enum tikc_status {
  TIKC_OK = 0,
  TIKC_NULL = 1,      /* a pointer that has to point somewhere is null */
  TIKC_OBJECT = 2,    /* not an object of this kind and contract, or one that was destroyed */
  TIKC_ALIGNMENT = 3, /* a pointer is not aligned for what it points to */
  TIKC_ROOM = 4,      /* the memory that was given is too small */
  TIKC_RANGE = 5,     /* a slice, stream, clause, check, rule or stage that there is none of */
  TIKC_VALUE = 6,   /* a format, label, verdict, time or log-prob that is none; a time too early */
  TIKC_SIZE = 7,    /* a row is not as long as the contract's vocabulary */
  TIKC_UNBOUND = 8, /* the clause says nothing about the slice */
  TIKC_MEMORY = 9,  /* there is none left */
  /* Of what was to be parsed. */
  TIKC_TRUNCATED = 10,   /* it ends too early */
  TIKC_FOREIGN = 11,     /* no bytes of a tally, or of a router */
  TIKC_VERSION = 12,     /* a format that this code does not know */
  TIKC_FINGERPRINT = 13, /* of another contract */
  TIKC_TRAILING = 14,    /* something follows */
  TIKC_CHECKSUM = 15,    /* bytes changed on their way */
  TIKC_PAYLOAD = 16,     /* the checksum is right and the contents cannot be */
  /* Of a library that reads contracts: see tikc.h. */
  TIKC_FILE = 17,    /* a file cannot be read */
  TIKC_REFUSED = 18, /* a contract has errors, or nothing that could be run */
  TIKC_FAULT = 19    /* tikc itself is at fault */
} tikc_status;

/* Of a clause on a slice. For a router TIKC_KEPT is added to what the last evaluation brought
   nothing new of. */
enum { TIKC_UNDECIDED = 0, TIKC_SATISFIED = 1, TIKC_VIOLATED = 2, TIKC_UNASKED = 3, TIKC_KEPT = 4 };

/* How a logit is stored. TIKC_FP8_E4M3 is OCP's e4m3fn, TIKC_FP8_E5M2 is IEEE-like. */
enum { TIKC_FP32 = 0, TIKC_BF16 = 1, TIKC_FP16 = 2, TIKC_FP8_E4M3 = 3, TIKC_FP8_E5M2 = 4 };

/* From the weakest that moves traffic to the strongest. */
enum {
  TIKC_AS_USUAL = 0, /* no action at all */
  TIKC_ALERT = 1,
  TIKC_SAMPLE = 2,
  TIKC_CORRECT = 3,
  TIKC_ROUTE = 4,
  TIKC_QUARANTINE = 5,
  TIKC_HOLD = 6,
  TIKC_ROLLBACK = 7
};

/* What an assumption is about; those to TIKC_LENGTH can be handed in. */
enum {
  TIKC_REWARD = 0,
  TIKC_STEP_REWARD = 1,
  TIKC_ADVANTAGE = 2,
  TIKC_SCORE_NORM = 3,
  TIKC_LENGTH = 4,
  TIKC_RATIO = 5,
  TIKC_MISSING_MASS = 6,
  TIKC_UNSEEN = 7 /* no number contradicts it */
};

/* The state of an assumption. */
enum { TIKC_UNWATCHED = 0, TIKC_HELD = 1, TIKC_BROKEN = 2 };

/* The state of a claim. Not shown: a check that proves it is undecided, the contract does not prove
   it, or it rests on log-probs that a `coherent` disproves. Suspended: an assumption that it rests
   on is broken. Refuted in effect: a check that proves it is violated. */
enum { TIKC_SHOWN = 0, TIKC_NOT_SHOWN = 1, TIKC_SUSPENDED = 2, TIKC_REFUTED_IN_EFFECT = 3 };

/* What became of a rule. */
enum { TIKC_ACTIVATED = 0, TIKC_STEPPED = 1, TIKC_RELEASED = 2, TIKC_RESET = 3 };

/* How many there are of each. */
typedef struct tikc_shape {
  size_t vocabulary; /* 0: the contract does not say, and no clause needs it */
  size_t scratch_bytes;
  uint32_t slices, streams, clauses, checks, rules, stages;
} tikc_shape;

/* Contiguous logits of one context, before any temperature, aligned or not. */
typedef struct tikc_row {
  const void* data;
  size_t tokens; /* the contract's vocabulary */
  uint32_t format;
} tikc_row;

/* Log-probs of sampled tokens by both kernels. A mask of 0 takes a token out; no mask keeps all.
   `first` is the place of the first token, for those who ask where an extreme is. One that counts
   and is above 0 by more than 0.001, which rounding may leave, is no log-prob; what is infinite or
   a NaN is the worst that can be. */
typedef struct tikc_tokens {
  const float* train;
  const float* infer;
  const uint8_t* mask;
  size_t size;
  uint64_t first;
} tikc_tokens;

/* Numbers that assumptions may be about, of responses, steps or tokens. A mask of 0 takes one out;
   what is not known has to be, as a NaN is within no range. The name of number i is first + i *
   step.
   */
typedef struct tikc_numbers {
  const double* values;
  const uint8_t* mask;
  size_t size;
  uint64_t first, step;
} tikc_numbers;

/* One response so far. All zeros are a new one; the rest is not for reading. */
typedef struct tikc_sequence {
  double sum, rest;
  uint64_t tokens;
  float least;
  uint32_t begun;
  double figures[8];
} tikc_sequence;

/* Seconds, and tokens per second. What was not measured is TIKC_ABSENT: 0 is a measurement. */
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

/* An observation that stands out, under the id that the caller gave it. */
typedef struct tikc_offender {
  double value;
  uint64_t id;
} tikc_offender;

/* What a check shows on a slice; [low, high] is where the value lies, of a confidence or of a
   sketch. */
enum { TIKC_WORST = 4 };
typedef struct tikc_finding {
  double value, low, high;
  uint64_t observations;
  uint32_t verdict;
  uint32_t
      is_kept; /* an evaluation before the last one told it, and the window after is not over */
  uint32_t worst_count;
  tikc_offender worst[TIKC_WORST]; /* the worst first; of some checks none are kept */
} tikc_finding;

/* What a contract takes as given: that values of a quantity are in [low, high]. */
typedef struct tikc_assumption {
  const char* key;
  const char* says;
  double low, high;
  uint32_t quantity;
} tikc_assumption;

/* What was seen of it; NaN where nothing was. With 95% confidence at most the share `outside` of
   values to come are out of the range, if each is drawn on its own. */
typedef struct tikc_watched {
  double least, greatest, outside;
  uint64_t count;
  uint64_t unknown; /* of these, what is no number, and so within no range */
  uint32_t state;
  uint32_t worst_count;
  tikc_offender worst[TIKC_WORST]; /* out of the range, the furthest first */
} tikc_watched;

/* A rule changed on a slice, and why. */
typedef struct tikc_transition {
  uint64_t tick;
  uint32_t rule, slice, change, step, stage;
  int32_t clause; /* whose verdict made it; -1 where none did */
  uint32_t seen;  /* the verdict that it was */
} tikc_transition;

/* What a rule does on a slice. The text is the receiver, the input, the correction or the kernel;
   the numbers are the rate, the cap, the probe; 0 where there is none. */
typedef struct tikc_action {
  uint32_t kind, rule;
  const char* text;
  double first, second;
} tikc_action;

/* Called for piece after piece of a text, which does not end in a zero. */
typedef void (*tikc_sink)(const char* piece, size_t size, void* context);
typedef void (*tikc_visit)(const tikc_action* action, void* context);

#ifdef __cplusplus
}
#endif
#endif
