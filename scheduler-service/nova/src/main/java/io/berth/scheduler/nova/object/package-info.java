/**
 * Converts nova's versioned objects: {@link io.berth.scheduler.nova.object.SelectCall} turns the arguments of a call
 * into the body of {@code POST /v1/select_destinations}, {@link io.berth.scheduler.nova.object.Selections} the response
 * into nova's. Only translates JSON; the route that reads the body defines its meaning.
 */
package io.berth.scheduler.nova.object;
