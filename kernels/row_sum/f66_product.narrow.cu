// The kernel of f66_product.published, for matrices whose offsets fit in an int.
#include "f66_product.published.cu"
