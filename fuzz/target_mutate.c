/* target_mutate.c - libFuzzer's custom mutator and crossover. */
#include "fuzzer.h"
#include "target_impl.h"
#include <stdlib.h>
#include <string.h>

enum { ARBITRARY_FRESH = 8 }; /* one mutation in so many starts from a new case: libFuzzer never does */

/* A variant to mutate for: the case's own, or any judged one whose contract admits it; NULL: none. */
static const WfVariant *variant_for(const WfFuzzTarget *t, const WfCase *c, WfChoice *ch) {
  WfGeometry g;
  if (c->variant) return wf_case_admits(c, c->variant, &g, NULL, 0) ? c->variant : NULL;
  size_t first = (size_t)wf_choice_below(ch, t->n_variants);
  for (size_t i = 0; i < t->n_variants; i++) {
    const WfVariant *v = t->variants[(first + i) % t->n_variants].variant;
    if (wf_case_admits(c, v, &g, NULL, 0)) return v;
  }
  return NULL;
}

static void fresh(const WfFuzzTarget *t, WfCase *out, WfChoice *ch) {
  const WfVariant *v = t->variants[wf_choice_below(ch, t->n_variants)].variant;
  wf_case_generate(out, t->op, v, ch);
  out->variant = v;
}

/* The text of the case; 0: it does not fit, or there is no memory. */
static size_t encode(const WfCase *c, uint8_t *out, size_t max_size) {
  char *text = wf_case_print(c);
  size_t len = text ? strlen(text) : 0;
  if (len > max_size) len = 0;
  if (len) memcpy(out, text, len);
  free(text);
  return len;
}

/* ---- smaller inputs, for -minimize_crash ---- */

enum { ARBITRARY_TRIES = 50 };

/* libFuzzer goes on from the result as if it were as long as the input: behind the text it finds the rest of that, which must be blank. */
static size_t write_over(uint8_t *data, size_t max_size, const uint8_t *text, size_t len) {
  memcpy(data, text, len);
  memset(data + len, '\n', max_size - len);
  return len;
}

/* A simpler case that some judged variant admits, or the one that it names; where none fits, "warpfuzz case" alone, which is none. */
static size_t smaller_text(const WfFuzzTarget *t, uint8_t *data, size_t size, size_t max_size, WfChoice *ch) {
  WfCase c, simpler;
  uint8_t *text = malloc(max_size);
  size_t len = 0;
  int readable = text && wf_target_decode(t, data, size, &c) == 0;
  for (int i = 0; readable && len == 0 && i < ARBITRARY_TRIES; i++) {
    simpler = c;
    wf_target_simplify(&simpler, ch);
    if (variant_for(t, &simpler, ch)) len = encode(&simpler, text, max_size);
  }
  if (len) len = write_over(data, max_size, text, len);
  free(text);
  return len ? len : wf_target_text_start(max_size);
}

/* Choices without some of them. */
static size_t smaller_choices(uint8_t *data, size_t size, size_t max_size, WfChoice *ch) {
  size_t least = size - max_size, cut = least + (size_t)wf_choice_below(ch, (size - least) / 2 + 1);
  size_t at = (size_t)wf_choice_below(ch, size - cut + 1);
  memmove(data + at, data + at + cut, size - cut - at);
  return size - cut;
}

size_t wf_fuzz_target_mutate(const WfFuzzTarget *t, uint8_t *data, size_t size, size_t max_size, unsigned seed) {
  WfChoice ch = {.state = wf_seed_derive(seed, 0)};
  WfCase c;
  const WfVariant *v = NULL;
  if (size > max_size)
    return wf_target_is_text(data, size) ? smaller_text(t, data, size, max_size, &ch) : smaller_choices(data, size, max_size, &ch);
  if (wf_choice_below(&ch, ARBITRARY_FRESH) && wf_target_decode(t, data, size, &c) == 0) v = variant_for(t, &c, &ch);
  if (v) {
    wf_case_mutate(&c, v, &ch);
    c.variant = v;
  } else {
    fresh(t, &c, &ch);
  }
  c.expect = 0;
  size_t len = encode(&c, data, max_size);
  return len ? len : size;
}

size_t wf_fuzz_target_cross(const WfFuzzTarget *t, const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                            uint8_t *out, size_t max_size, unsigned seed) {
  WfChoice ch = {.state = wf_seed_derive(seed, 1)};
  WfCase left, right, mixed;
  const WfVariant *v = NULL;
  if (wf_target_decode(t, a, a_size, &left) == 0 && wf_target_decode(t, b, b_size, &right) == 0) v = variant_for(t, &left, &ch);
  if (v)
    wf_case_cross(&mixed, &left, &right, v, &ch);
  else
    fresh(t, &mixed, &ch);
  if (v) mixed.variant = v;
  mixed.expect = 0;
  return encode(&mixed, out, max_size); /* 0: libFuzzer takes an empty input */
}
