/* entry.h - source text of the function that launches a variant. Appended to the variant's .cu file before it is compiled,
 * so that the file itself needs to know nothing of warpfuzz. */
#ifndef WF_ENTRY_H
#define WF_ENTRY_H
#include "../gpu/device.h"
#include "op.h"

/* C++ source of `extern "C" void wf_entry_<op>_<ident>(const WfLaunchArgs *)`: the op's tensors (float *), dims (int),
 * scalars (float; flags int), grid, block, shared, scratch and stream in scope, then the variant's launch statement. ident is the variant's
 * name with _ for everything but letters and digits. Needs no header but CUDA's. statement_name: what compilers call the place of the
 * statement, which then has lines and columns as it was given; NULL: it is one more line of the entry. Returns a malloc'ed string, NULL:
 * no memory. */
char *wf_entry_source(const WfOp *op, const WfVariant *v, const char *statement_name);

/* C source of the table in gpu/table.h: all variants of wf_ops, with the entries of those flavors, whose names are
 * wf_gpu_<flavor>_<op>_<ident>. Malloc'ed; NULL: no memory. */
char *wf_entry_table(const WfGpuFlavor *flavors, size_t n_flavors);

#endif
