// The kernel of small_row.published, for rows of 32 columns: every lane has one.
#include "small_row.published.cu"
