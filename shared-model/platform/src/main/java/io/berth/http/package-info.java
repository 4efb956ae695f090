/**
 * The connection guard of a service, which controls connections before and during their requests. It is strict about
 * the framing of messages, admits one request of a connection at a time, and bounds in bytes and time what is read and
 * not yet answered, and what is written and not yet taken. Start with {@link io.berth.http.GuardHandler}. It knows
 * nothing of routes, callers or error bodies: the service renders its refusals ({@link io.berth.http.DoorWords}). For
 * {@code /q} there are also: a port of its own ({@link io.berth.http.ManagementPort}) and the page of the API ({@link
 * io.berth.http.ApiPage}).
 *
 * <p>It works in the pipelines of Netty, which Vert.x makes accessible only through a transport ({@link
 * io.berth.http.GuardedTransport}).
 */
package io.berth.http;
