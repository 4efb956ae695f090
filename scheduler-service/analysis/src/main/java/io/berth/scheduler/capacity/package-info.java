/**
 * How many more instances of a request fit, and what stops the next one? {@link io.berth.scheduler.capacity.Counting}
 * counts on a snapshot with the engine that decides, as if instances were placed one after the other, each by a request
 * of its own; {@link io.berth.scheduler.capacity.Watches} keeps counts of some requests for metrics. Claims nothing.
 */
package io.berth.scheduler.capacity;
