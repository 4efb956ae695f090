/**
 * nova's versioned objects: {@link io.berth.scheduler.nova.object.SelectCall} turns the arguments of a call into the body
 * of {@code POST /v1/select_destinations}, {@link io.berth.scheduler.nova.object.Selections} its answer into nova's.
 * JSON in, JSON out; what the body means is decided where that route's body is read.
 */
package io.berth.scheduler.nova.object;
