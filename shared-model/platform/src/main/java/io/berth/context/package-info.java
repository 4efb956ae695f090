/**
 * Contexts and threads for asynchronous work of both services.
 * <ul>
 * <li>{@link io.berth.context.WorkerThreads} runs long work outside event loops; {@link
 * io.berth.context.CooperativeYield} makes that work yield to event loops; {@link io.berth.context.CallerContext}
 * delivers the result.
 * <li>{@link io.berth.context.Recurring} repeats background work, each run in a context of its own ({@link
 * io.berth.context.OwnContext}).
 * <li>{@link io.berth.context.SharedCall} shares one call between concurrent callers.
 * </ul>
 */
package io.berth.context;
