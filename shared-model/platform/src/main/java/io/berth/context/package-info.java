/**
 * Where an asynchronous answer goes on, and when work is done again: {@link io.berth.context.CallerContext} and
 * {@link io.berth.context.Recurring}. Knows nothing of what is done.
 */
package io.berth.context;
