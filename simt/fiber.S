/* fiber.S - stack switching for x86-64, System V ABI.
 *
 * Every suspended thread looks the same: its stack pointer points to the six callee-saved registers, above them lies the
 * address to continue at. A thread is resumed by popping them, with a value in rax.
 *
 * It is resumed by a jump, not by `ret`: the processor's return predictor would expect the place where the thread that ran
 * last was suspended, and pay for being wrong at nearly every switch. */
#if defined(__x86_64__)
	.text

	.macro	save_registers
	pushq	%rbp
	pushq	%rbx
	pushq	%r12
	pushq	%r13
	pushq	%r14
	pushq	%r15
	.endm

	.macro	resume
	popq	%r15
	popq	%r14
	popq	%r13
	popq	%r12
	popq	%rbx
	popq	%rbp
	popq	%rcx
	jmp	*%rcx
	.endm

/* uint64_t simt_switch(void **save, void *to, uint64_t value): suspends, stores the stack pointer to *save, resumes `to`,
 * where `value` arrives. */
	.globl	simt_switch
	.type	simt_switch, @function
	.p2align 5
simt_switch:
	save_registers
	movq	%rsp, (%rdi)
	movq	%rsi, %rsp
	movq	%rdx, %rax
	resume
	.size	simt_switch, .-simt_switch

/* An operation in which threads meet: suspends the caller and asks SimtResume arrive(up to six arguments, void *sp) who
 * goes on (stack pointer in rax) with which result (rdx). */
	.macro	meeting_point name, arrive
	.globl	\name
	.type	\name, @function
	.p2align 5
\name:
	save_registers
	movq	%rsp, %rax
	pushq	%rax
	call	\arrive
	movq	%rax, %rsp
	movq	%rdx, %rax
	resume
	.size	\name, .-\name
	.endm

/* The same for an operation of few arguments: the stack pointer is one more, in this register. */
	.macro	short_meeting_point name, arrive, register
	.globl	\name
	.type	\name, @function
	.p2align 5
\name:
	save_registers
	movq	%rsp, \register
	subq	$8, %rsp
	call	\arrive
	movq	%rax, %rsp
	movq	%rdx, %rax
	resume
	.size	\name, .-\name
	.endm

	short_meeting_point simt_shfl_idx, simt_arrive_shfl_idx, %r8
	short_meeting_point simt_shfl_up, simt_arrive_shfl_up, %r8
	short_meeting_point simt_shfl_down, simt_arrive_shfl_down, %r8
	short_meeting_point simt_shfl_xor, simt_arrive_shfl_xor, %r8
	short_meeting_point simt_shfl_rounds, simt_arrive_rounds, %r9
	short_meeting_point simt_op_barrier, simt_arrive_barrier, %rcx
	meeting_point simt_op_syncwarp, simt_arrive_syncwarp
	meeting_point simt_op_shfl, simt_arrive_shfl
	meeting_point simt_op_vote, simt_arrive_vote
	meeting_point simt_op_match, simt_arrive_match
	meeting_point simt_op_reduce, simt_arrive_reduce
	meeting_point simt_op_activemask, simt_arrive_activemask
	meeting_point simt_op_together, simt_arrive_together

/* Where a thread begins: see simt_fiber_reset(). Its end is a meeting point too. Where it is suspended then, nothing of its
 * stack is in use, and the address to continue at, which no frame has covered, is this again. */
	.globl	simt_fiber_start
	.type	simt_fiber_start, @function
	.p2align 5
simt_fiber_start:
	subq	$8, %rsp
	call	simt_thread_runs
	leaq	-48(%rsp), %rdi
	call	simt_arrive_end
	movq	%rax, %rsp
	movq	%rdx, %rax
	resume
	.size	simt_fiber_start, .-simt_fiber_start

/* What kernels call when something is unusual (simt_hot.h, SIMT_KEEPS): changes no register but r11, which is LLVM's convention
 * preserve_all, and calls an ordinary function with up to six arguments and no result. */
	.macro	keep
	pushq	%rbp
	movq	%rsp, %rbp
	pushq	%rax
	pushq	%rcx
	pushq	%rdx
	pushq	%rsi
	pushq	%rdi
	pushq	%r8
	pushq	%r9
	pushq	%r10
	subq	$256, %rsp
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	movups	%xmm\n, 16*\n(%rsp)
	.endr
	.endm

	.macro	return_kept
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	movups	16*\n(%rsp), %xmm\n
	.endr
	addq	$256, %rsp
	popq	%r10
	popq	%r9
	popq	%r8
	popq	%rdi
	popq	%rsi
	popq	%rdx
	popq	%rcx
	popq	%rax
	popq	%rbp
	ret
	.endm

	.macro	keeping name, distant
	.globl	\name
	.type	\name, @function
	.p2align 5
\name:
	keep
	call	\distant
	return_kept
	.size	\name, .-\name
	.endm

	keeping	simt_far_load_4, simt_distant_load_4
	keeping	simt_far_store_4, simt_distant_store_4
	keeping	simt_overflowed, simt_distant_overflowed
	keeping	simt_wrapped, simt_distant_wrapped
	keeping	simt_misplaced, simt_distant_misplaced
	keeping	simt_unset, simt_distant_unset
	keeping	simt_divide, simt_distant_divide

/* One of them, at the head of a loop: a second argument is the address of all registers, on the stack below the kernel's
 * frames. Together they are all that the thread is, its memory apart (recur.c). */
	.globl	simt_out_of_steps
	.type	simt_out_of_steps, @function
	.p2align 5
simt_out_of_steps:
	keep
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	pushq	$0 /* keeps the stack aligned */
	movq	%rsp, %rsi
	call	simt_distant_out_of_steps
	addq	$48, %rsp
	return_kept
	.size	simt_out_of_steps, .-simt_out_of_steps
#endif
	.section .note.GNU-stack,"",@progbits
