/**
 * Where an asynchronous answer goes on, on which threads long work is done, what is done once for all who ask, and when work is
 * done again: {@link io.berth.context.CallerContext}, {@link io.berth.context.WorkerThreads} (long work lets
 * event loops run first: {@link io.berth.context.CooperativeYield}), {@link
 * io.berth.context.SharedCall} and {@link io.berth.context.Recurring}, each time on a context of its own, {@link
 * io.berth.context.OwnContext}. Knows nothing of what is done.
 */
package io.berth.context;
