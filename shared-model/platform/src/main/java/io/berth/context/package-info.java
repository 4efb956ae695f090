/**
 * Contexts and threads for asynchronous results, long work, shared calls and recurring work: {@link
 * io.berth.context.CallerContext}, {@link io.berth.context.WorkerThreads} (long work lets event loops run first: {@link
 * io.berth.context.CooperativeYield}), {@link io.berth.context.SharedCall} and {@link io.berth.context.Recurring},
 * whose runs each have a context of their own, {@link io.berth.context.OwnContext}. Does not know the work.
 */
package io.berth.context;
