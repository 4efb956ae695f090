/**
 * Converts nova's versioned objects: {@link io.berth.scheduler.nova.object.SelectCall} turns the arguments of a call
 * into the body of {@code POST /v1/select_destinations}, {@link io.berth.scheduler.nova.object.Selections} the response
 * into nova's. JSON in, JSON out; the meaning of the body is defined where that route's body is read.
 */
package io.berth.scheduler.nova.object;
