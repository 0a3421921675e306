/* ordered.h - memory that is allocated and freed in the order of a stream. Internal to the engine. */
#ifndef SIMT_ORDERED_H
#define SIMT_ORDERED_H
#include "heap.h"
#include "streams.h"

void simt_ordered_alloc(Simt *s, Allocation *a, unsigned stream); /* a has just been made by an operation of this stream */
/* The operation issued last, of this stream, has touched these: was it behind the allocation? */
void simt_ordered_use(Simt *s, unsigned stream, const SimtFootprint *f);
/* a is about to be freed by an operation of this stream: is that behind all that other streams have done with it? */
void simt_ordered_free(Simt *s, const Allocation *a, unsigned stream, const SimtSite *site);
void simt_ordered_forget(Simt *s); /* streams begin anew: what there is has been there all the time */

#endif
