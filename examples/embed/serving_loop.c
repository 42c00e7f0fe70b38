/* The same loop as serving_loop.cpp, for an engine in C: two workers observe into tallies of their
   own, which travel as bytes to the one checker, and a router takes traffic away from the kernel
   that drifts. The numbers are made up. */
#include "qwen3-8b-rl.tikc_c.h"

#include <stdio.h>
#include <stdlib.h>

enum { WORKERS = 2, TOKENS = 256, REQUESTS = 600, WINDOWS = 6 };
static const double window_seconds = 600;

#define VOCABULARY QWEN3_8B_RL_ROLLOUT_VOCABULARY

static void must(tikc_status status) {
  if (status == TIKC_OK)
    return;
  fprintf(stderr, "tikc: %s\n", qwen3_8b_rl_rollout_status_name(status));
  exit(1);
}

static void* memory(size_t bytes) {
  void* out = malloc(bytes);
  if (out == NULL) {
    fputs("no memory\n", stderr);
    exit(1);
  }
  return out;
}

/* About as a normal distribution, and the same on every machine. */
static float noise(uint64_t* state) {
  float sum = 0;
  int i;
  for (i = 0; i < 4; ++i) {
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    sum += (float)(*state >> 40) / (float)(1U << 24) - 0.5F;
  }
  return sum * 1.7F;
}

typedef struct worker {
  qwen3_8b_rl_rollout_tally* tally;
  uint64_t random;
  float *train, *infer; /* rows */
  void* scratch;
  size_t scratch_bytes;
} worker;

static void start_worker(worker* of, uint64_t seed) {
  tikc_shape shape;
  must(qwen3_8b_rl_rollout_shape(&shape));
  must(qwen3_8b_rl_rollout_tally_create(&of->tally));
  of->random = seed;
  of->train = memory(VOCABULARY * sizeof(float));
  of->infer = memory(VOCABULARY * sizeof(float));
  of->scratch_bytes = shape.scratch_bytes;
  of->scratch = memory(of->scratch_bytes);
}

static void end_worker(worker* of) {
  must(qwen3_8b_rl_rollout_tally_destroy(of->tally));
  free(of->train);
  free(of->infer);
  free(of->scratch);
}

/* One context's logits, as both kernels have them in this window. */
static void draw_rows(worker* of, float drift) {
  int i;
  for (i = 0; i < VOCABULARY; ++i) {
    of->infer[i] = 3 * noise(&of->random);
    of->train[i] = of->infer[i] + drift * noise(&of->random);
  }
}

static void serve(worker* of, uint64_t id, float drift) {
  float train[TOKENS], infer[TOKENS];
  tikc_tokens tokens = {train, infer, NULL, TOKENS, 0};
  tikc_row train_row = {NULL, VOCABULARY, TIKC_FP32}, infer_row = {NULL, VOCABULARY, TIKC_FP32};
  tikc_sequence response = {0};
  tikc_request_times times = {TIKC_ABSENT, TIKC_ABSENT, TIKC_ABSENT, TIKC_ABSENT, 0};
  qwen3_8b_rl_rollout_request request = {0};
  uint32_t slice, stream = QWEN3_8B_RL_ROLLOUT_STREAM_TRAINER_TO_ROLLOUT;
  int i;

  request.prompt_tokens = id % 5 == 0 ? 16384 : 512;
  request.task = id % 2 == 0 ? QWEN3_8B_RL_ROLLOUT_TASK_LABEL_MATH
                             : QWEN3_8B_RL_ROLLOUT_TASK_LABEL_CODE;
  must(qwen3_8b_rl_rollout_slice_of(&request, &slice));

  for (i = 0; i < TOKENS; ++i) {
    infer[i] = -4 - noise(&of->random);
    train[i] = infer[i] + drift * noise(&of->random);
    if (train[i] > 0) /* as no log-prob is */
      train[i] = 0;
  }
  tokens.first = id * TOKENS;
  must(qwen3_8b_rl_rollout_tally_observe_response(of->tally, stream, slice, &tokens, &response));
  must(qwen3_8b_rl_rollout_tally_end_response(of->tally, stream, slice, &response, id));

  times.latency = 5 + (double)noise(&of->random);
  must(qwen3_8b_rl_rollout_tally_observe_request(of->tally, slice, &times, id));
  must(qwen3_8b_rl_rollout_tally_serve(of->tally, slice, TOKENS, 1));

  /* A sample: one context of each response, and one request in ten run again. */
  train_row.data = of->train;
  infer_row.data = of->infer;
  must(qwen3_8b_rl_rollout_tally_observe_row(of->tally, stream, slice, &train_row, &infer_row,
                                             of->scratch, of->scratch_bytes, id));
  if (id / 2 % 10 == 0)
    must(qwen3_8b_rl_rollout_tally_observe_batch_replay(of->tally, slice, (double)drift / 10, id));
}

/* What a worker observed, as its process would send it to the checker's. */
static void hand_over(worker* from, qwen3_8b_rl_rollout_checker* checker) {
  qwen3_8b_rl_rollout_tally* arrived;
  size_t size;
  void* bytes;
  must(qwen3_8b_rl_rollout_tally_wire_size(from->tally, &size));
  bytes = memory(size);
  must(qwen3_8b_rl_rollout_tally_serialise(from->tally, bytes, size, &size));
  must(qwen3_8b_rl_rollout_tally_clear(from->tally));

  must(qwen3_8b_rl_rollout_tally_create(&arrived));
  must(qwen3_8b_rl_rollout_tally_parse(arrived, bytes, size));
  must(qwen3_8b_rl_rollout_checker_merge(checker, arrived));
  must(qwen3_8b_rl_rollout_tally_destroy(arrived));
  free(bytes);
}

static void report_findings(const qwen3_8b_rl_rollout_checker* checker) {
  uint32_t check, slice, is_unexpected;
  tikc_finding found;
  for (slice = 0; slice < QWEN3_8B_RL_ROLLOUT_SLICES; ++slice) {
    must(qwen3_8b_rl_rollout_checker_is_unexpected(checker, slice, &is_unexpected));
    if (is_unexpected)
      printf("  traffic on %s, whose weight is 0\n", qwen3_8b_rl_rollout_slice_name(slice));
  }
  for (check = 0; check < QWEN3_8B_RL_ROLLOUT_CHECKS; ++check)
    for (slice = 0; slice < QWEN3_8B_RL_ROLLOUT_SLICES; ++slice)
      if (qwen3_8b_rl_rollout_checker_finding(checker, check, slice, &found) == TIKC_OK &&
          found.verdict == TIKC_VIOLATED)
        printf("  violated on %s: %s, it is %.4g of %llu\n", qwen3_8b_rl_rollout_slice_name(slice),
               qwen3_8b_rl_rollout_check_text(check), found.value,
               (unsigned long long)found.observations);
}

static void report_routes(const qwen3_8b_rl_rollout_router* router) {
  static const char* const changes[] = {"activated", "stepped", "released", "reset"};
  tikc_transition transitions[QWEN3_8B_RL_ROLLOUT_RULES * QWEN3_8B_RL_ROLLOUT_SLICES];
  tikc_action action;
  uint32_t slice;
  size_t i, count;
  must(qwen3_8b_rl_rollout_router_transitions(
      router, transitions, sizeof transitions / sizeof *transitions, &count));
  for (i = 0; i < count; ++i)
    printf("  rule %s %s on %s\n", qwen3_8b_rl_rollout_router_rule_name(transitions[i].rule),
           changes[transitions[i].change], qwen3_8b_rl_rollout_slice_name(transitions[i].slice));
  for (slice = 0; slice < QWEN3_8B_RL_ROLLOUT_SLICES; ++slice) {
    must(qwen3_8b_rl_rollout_router_decide(router, slice, &action));
    if (action.kind == TIKC_ROUTE)
      printf("  traffic of %s: route %s\n", qwen3_8b_rl_rollout_slice_name(slice), action.text);
  }
}

int main(void) {
  qwen3_8b_rl_rollout_checker* checker;
  qwen3_8b_rl_rollout_router* router;
  worker pool[WORKERS];
  uint64_t id = 0;
  int i, window;

  if (qwen3_8b_rl_rollout_abi() != TIKC_C_ABI)
    return 1;
  must(qwen3_8b_rl_rollout_checker_create(&checker));
  must(qwen3_8b_rl_rollout_router_create(&router));
  for (i = 0; i < WORKERS; ++i)
    start_worker(&pool[i], (uint64_t)i);

  must(qwen3_8b_rl_rollout_checker_start(checker, 0));
  for (window = 1; window <= WINDOWS; ++window) {
    /* A kernel that is fine, and from the fourth window on one that is not. */
    const float drift = window < 4 ? 0.01F : 0.2F;
    for (i = 0; i < WORKERS; ++i)
      draw_rows(&pool[i], drift);
    for (i = 0; i < REQUESTS; ++i, ++id)
      serve(&pool[id % WORKERS], id, drift);
    for (i = 0; i < WORKERS; ++i)
      hand_over(&pool[i], checker);
    must(qwen3_8b_rl_rollout_checker_evaluate(checker, window * window_seconds));
    must(qwen3_8b_rl_rollout_router_tick(router, checker, QWEN3_8B_RL_ROLLOUT_STAGE_CANARY));
    printf("window %d\n", window);
    report_findings(checker);
    report_routes(router);
  }

  for (i = 0; i < WORKERS; ++i)
    end_worker(&pool[i]);
  must(qwen3_8b_rl_rollout_router_destroy(router));
  must(qwen3_8b_rl_rollout_checker_destroy(checker));
  return 0;
}
