// The kernel and launcher of row_group.published, for rows of at most 256 columns.
#include "row_group.published.cu"
