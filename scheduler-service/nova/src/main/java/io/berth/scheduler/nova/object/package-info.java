/**
 * Converts nova's versioned objects: {@link io.berth.scheduler.nova.object.SelectCall} turns the arguments of a call
 * into the body of {@code POST /v1/select_destinations}, {@link io.berth.scheduler.nova.object.Selections} the response
 * into nova's form; {@link io.berth.scheduler.nova.object.HostObjects} converts what compute nodes report. This package
 * only translates JSON; the route that reads the body defines the meaning of the members. Used by {@code rpc},
 * {@code shadow} and {@code database}.
 */
package io.berth.scheduler.nova.object;
