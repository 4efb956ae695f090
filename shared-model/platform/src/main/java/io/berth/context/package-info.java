/**
 * Where an asynchronous answer goes on, on which threads long work is done, and when work is done again: {@link
 * io.berth.context.CallerContext}, {@link io.berth.context.WorkerThreads} and {@link io.berth.context.Recurring}, each time
 * on a context of its own, {@link io.berth.context.OwnContext}. Knows nothing of what is done.
 */
package io.berth.context;
