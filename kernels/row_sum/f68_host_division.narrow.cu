// The kernel of f68_host_division.published, for up to 2048 columns.
#include "f68_host_division.published.cu"
