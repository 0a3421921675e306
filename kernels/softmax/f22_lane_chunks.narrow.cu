// The kernel of f22_lane_chunks.published, for rows of more than 64 columns.
#include "f22_lane_chunks.published.cu"
