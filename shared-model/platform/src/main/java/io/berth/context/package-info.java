/** Where an asynchronous answer goes on. Start with {@link io.berth.context.CallerContext}. Knows nothing of Berth. */
package io.berth.context;
