/* fake_simt.h - a stand-in for the engine: entry functions of tests are plain C and say themselves what the engine is
 * to have seen. fake_simt.c implements all of simt.h but the class names (simt/classes.c); the calls below are valid
 * between simt_begin() and simt_end(). */
#ifndef FAKE_SIMT_H
#define FAKE_SIMT_H
#include "../simt/simt.h"

void fake_store(float *p, float v);  /* writes a device float and counts it as written, by the thread of its index, at: */
extern const SimtSite fake_store_site;
uint64_t fake_schedule(void);        /* SimtRun.schedule */
int fake_reversed(void);             /* SimtRun.reverse_blocks */
float fake_absent(SimtClass cls);    /* reads a value nobody wrote: the fill, and stats.poison with that class */
float fake_absent_at(SimtClass cls, const SimtSite *site); /* the same, at a place */
void fake_poison(SimtClass cls);     /* stats.poison alone: the caller read an unwritten global element */
void fake_trace(uint64_t step);      /* a branch or address */
void fake_abandon(void);             /* stats.abandoned */
void fake_finding(SimtClass cls, SimtSeverity severity, const SimtSite *here, const SimtSite *other);

/* The buffer that p is the base of; NULL: none. */
const char *fake_buffer_name(const void *p);
int fake_buffer_is_init(const void *p);

#endif
