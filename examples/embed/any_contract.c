/* A contract that is known only once the program runs, with libtikc: what `tikc check` would say of
   it, or its verdicts on made-up observations. With tikc installed:
     cc -std=c99 any_contract.c $(pkg-config --cflags --libs libtikc) && ./a.out CONTRACT */
#include <tikc.h>

#include <stdio.h>
#include <stdlib.h>

enum { TOKENS = 4096 };

static void must(tikc_status status) {
  if (status == TIKC_OK)
    return;
  fprintf(stderr, "tikc: %s\n", tikc_status_name(status));
  exit(1);
}

static void show_findings(const tikc_document* document, uint32_t count) {
  uint32_t i;
  for (i = 0; i < count; ++i) {
    tikc_diagnostic each;
    must(tikc_document_diagnostic(document, i, &each));
    printf("%s:%u:%u: %s: %s\n", each.place.file, (unsigned)each.place.line,
           (unsigned)each.place.column, each.code, each.message);
  }
}

static void show_claims(const tikc_document* document, uint32_t count) {
  static const char* const verdicts[] = {"proved", "refuted", "unproved"};
  uint32_t i;
  for (i = 0; i < count; ++i) {
    tikc_claim each;
    must(tikc_document_claim(document, i, &each));
    printf("%s: %s, asked %s, follows %s\n", each.name, verdicts[each.verdict], each.asked,
           each.proved);
  }
}

/* Tokens that both kernels know alike, but for the last, which the training kernel finds much more
   likely. */
static void observe(tikc_tally* tally) {
  static float train[TOKENS], infer[TOKENS];
  tikc_tokens tokens = {train, infer, NULL, TOKENS, 0};
  int i;
  for (i = 0; i < TOKENS; ++i)
    train[i] = infer[i] = -1.0F - (float)(i % 7) / 8;
  infer[TOKENS - 1] -= 4096;
  must(tikc_tally_observe_tokens(tally, 0, 0, &tokens));
  must(tikc_tally_serve(tally, 0, TOKENS, 1));
}

static void run(const tikc_contract* contract) {
  static const char* const verdicts[] = {"undecided", "satisfied", "violated", "unasked"};
  tikc_shape shape;
  tikc_tally* tally;
  tikc_checker* checker;
  tikc_router* router;
  uint32_t i, tick;
  must(tikc_contract_shape(contract, &shape));
  must(tikc_tally_create(contract, &tally));
  must(tikc_checker_create(contract, &checker));
  must(tikc_router_create(contract, &router));
  for (tick = 1; tick <= 40; ++tick) {
    observe(tally);
    must(tikc_checker_merge(checker, tally));
    must(tikc_tally_clear(tally));
    must(tikc_checker_evaluate(checker, 60.0 * tick));
    must(tikc_router_tick(router, checker, 0));
  }
  for (i = 0; i < shape.clauses; ++i) {
    uint32_t verdict;
    const tikc_status status = tikc_checker_verdict(checker, i, 0, &verdict);
    if (status == TIKC_UNBOUND)
      continue;
    must(status);
    printf("%s: %s\n", tikc_contract_clause_name(contract, i), verdicts[verdict]);
  }
  for (i = 0; i < shape.rules; ++i) {
    uint32_t is_active;
    must(tikc_router_is_active(router, i, 0, &is_active));
    if (is_active)
      printf("rule %s is active\n", tikc_router_rule_name(contract, i));
  }
  must(tikc_router_destroy(router));
  must(tikc_checker_destroy(checker));
  must(tikc_tally_destroy(tally));
}

int main(int count, char** arguments) {
  tikc_document* document;
  tikc_contract* contract;
  tikc_status status;
  uint32_t findings, claims, contracts;
  if (count != 2 || tikc_abi() != TIKC_ABI)
    return 2;
  status = tikc_open(arguments[1], &document);
  if (status == TIKC_FILE) {
    fprintf(stderr, "%s\n", tikc_document_message(document));
    must(tikc_document_destroy(document));
    return 2;
  }
  must(status);
  must(tikc_document_counts(document, &findings, &claims, &contracts));
  show_findings(document, findings);
  show_claims(document, claims);
  status = contracts == 0 ? TIKC_REFUSED : tikc_document_contract(document, 0, &contract);
  must(tikc_document_destroy(document)); /* a contract outlives what it was read from */
  if (status == TIKC_REFUSED)
    return 1;
  must(status);
  run(contract);
  must(tikc_contract_destroy(contract));
  return 0;
}
