/**
 * Contexts and threads for asynchronous work: {@link io.berth.context.CallerContext} delivers results, {@link
 * io.berth.context.WorkerThreads} run long work, which lets event loops run first ({@link
 * io.berth.context.CooperativeYield}), {@link io.berth.context.SharedCall} shares a call between callers, and {@link
 * io.berth.context.Recurring} repeats work, each run in a context of its own ({@link io.berth.context.OwnContext}).
 * Does not know the work.
 */
package io.berth.context;
