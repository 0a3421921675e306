/* target_impl.h - what the parts of fuzz_target.h share. */
#ifndef WF_TARGET_IMPL_H
#define WF_TARGET_IMPL_H
#include "fuzz_target.h"

int wf_target_is_text(const uint8_t *data, size_t size); /* 1: it is to be a case as text */

size_t wf_target_text_start(size_t max_size);            /* bytes of text that say no more than that; at most max_size */

/* The case of an input. Its variant is one that is judged, or NULL (text that names none, or another unless files are run).
 * 0; -1: text that does not parse, or is of another op. */
int wf_target_decode(const WfFuzzTarget *t, const uint8_t *data, size_t size, WfCase *out);

/* Saves the case under the name of its first error, appends the findings to findings.jsonl where the directory was named, then prints them.
 * Where the process goes on, only what was not told yet. Returns the class of the first error. */
SimtClass wf_target_report(WfFuzzTarget *t, const WfTarget *on, const WfCase *c, WfVerdict *v, FILE *log);

/* Changes one aspect of the case, or a few, so that its text is shorter or the launch smaller; it need not be admitted then. */
void wf_target_simplify(WfCase *c, WfChoice *ch);

#endif
