/* check_start.h - a program that `warpfuzz check` has made, from its start to main(): what the user's file does there, in constructors of its
 * variables, is watched. It must come to its end within 5 s of processor time and leave the process alive; else that is said in one line, at exit
 * status 2. Linked into such programs alone. */
#ifndef WF_CHECK_START_H
#define WF_CHECK_START_H

/* main() has begun: from now on nothing is watched here. */
void wf_check_started(void);

#endif
