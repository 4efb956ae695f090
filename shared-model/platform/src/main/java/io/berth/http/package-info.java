/**
 * The door of a service: what is done with a connection before and beside its requests. Strict about how a message is
 * framed, one request of a connection at a time, and bounds in bytes and time on what is read and not yet answered and on
 * what is answered and not yet taken. Start with {@link io.berth.http.DoorHandler}. It knows nothing of routes, callers or
 * error bodies: the service words its refusals ({@link io.berth.http.DoorWords}). Beside it, for {@code /q} alone: a port of
 * its own ({@link io.berth.http.ManagementPort}) and the page of the API ({@link io.berth.http.ApiPage}).
 *
 * <p>It stands in the pipelines of Netty, which Vert.x offers no other way to reach than a transport of its own
 * ({@link io.berth.http.DoorTransport}).
 */
package io.berth.http;
