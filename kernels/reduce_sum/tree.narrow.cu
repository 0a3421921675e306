// The kernel of tree.published, for blocks of a power of two.
#include "tree.published.cu"
