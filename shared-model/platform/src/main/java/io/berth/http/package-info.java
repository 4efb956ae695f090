/**
 * The connection guard of a service, which controls connections before and during their requests. It is strict about
 * the framing of messages and admits one request of a connection at a time. It bounds, in bytes and time, requests
 * without a complete response and responses that clients have not read yet. Start with {@link
 * io.berth.http.GuardHandler}. It knows nothing of routes, callers or error bodies: the service renders its refusals
 * ({@link io.berth.http.DoorWords}). The package also has, for {@code /q}, a port of its own ({@link
 * io.berth.http.ManagementPort}) and the page of the API ({@link io.berth.http.ApiPage}).
 *
 * <p>It works in the pipelines of Netty, which Vert.x makes accessible only through a transport ({@link
 * io.berth.http.GuardedTransport}).
 */
package io.berth.http;
