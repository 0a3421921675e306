// The kernel of naive.published, for logits between -80 and 80: no exponential overflows, and neither does a sum of 4,096 of them.
#include "naive.published.cu"
