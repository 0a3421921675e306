/* corpus_import.h - cases that other workers, or earlier runs, left in the corpus on the disk, for the variants of this process. */
#ifndef WF_CORPUS_IMPORT_H
#define WF_CORPUS_IMPORT_H
#include "fuzzer.h"

typedef struct WfImport { /* starts as zero bytes */
  uint64_t *seen; /* hashes of case and target; open addressing, 0: free */
  size_t mask, n_seen;
} WfImport;

/* Queues the cases of OUT/corpus/OP for targets with a weight, each once. What cannot be read is passed over: it may be removed meanwhile. 0;
 * -1: no memory. */
int wf_import_all(WfImport *m, WfFuzzer *f, const WfTarget *targets, const uint32_t *weight, size_t n_targets, const char *out);

/* The process has run the case itself, on this target. 0; -1: no memory. */
int wf_import_note(WfImport *m, size_t target, uint64_t key);

void wf_import_free(WfImport *m);

#endif
