/* table.h - the entries of all variants in the flavors that were built: written by wf-entry. */
#ifndef WF_GPU_TABLE_H
#define WF_GPU_TABLE_H
#include "device.h"

typedef struct WfGpuTableRow {
  const char *op, *variant;
  WfEntry *entry[WF_GPU_FLAVOR_COUNT]; /* NULL: that flavor was not built */
} WfGpuTableRow;
extern const WfGpuTableRow wf_gpu_table[]; /* ascending by op, then by variant */
extern const size_t wf_gpu_table_rows;

#endif
