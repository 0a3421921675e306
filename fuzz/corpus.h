/* corpus.h - the cases of one variant that reached something new, kept small: each feature (a class-bucketed coverage
 * counter, or a situation) is owned by the smallest case that reached it; a case that owns nothing any more goes. */
#ifndef WF_CORPUS_H
#define WF_CORPUS_H
#include "case.h"

typedef struct WfCorpus WfCorpus;

int wf_corpus_create(WfCorpus **out); /* 0; -1: no memory */
void wf_corpus_destroy(WfCorpus *c);

/* Size of a case in one number: the first parts of wf_case_compare (elements, threads of the launch, edits), cut. */
uint64_t wf_case_size(const WfCase *c, const WfGeometry *g);

/* 0 .. 7: the bucket of a counter that is not 0. */
unsigned wf_corpus_bucket(uint8_t count);

/* Keeps a copy of the case if it reaches a feature nobody reached, or one whose owner is larger. counters: n 8-bit
 * counters of one execution; situations: set of bits. Returns the number of features that are new, -1: no memory (the
 * corpus is intact). */
int wf_corpus_offer(WfCorpus *c, const WfCase *kase, uint64_t size, const uint8_t *counters, size_t n,
                    uint32_t situations);

size_t wf_corpus_count(const WfCorpus *c);    /* cases kept */
size_t wf_corpus_features(const WfCorpus *c); /* features reached */
int wf_corpus_pick(const WfCorpus *c, WfChoice *ch, WfCase *out); /* one of them, by chance. 1; 0: it is empty */

#endif
