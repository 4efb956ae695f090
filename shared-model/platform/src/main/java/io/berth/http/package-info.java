/**
 * The connection guard of both services, which checks and limits the connections of clients in front of Vert.x. The
 * guard refuses ambiguous framing of messages, and processes one request of a connection at a time. The guard limits,
 * in bytes and time, requests in flight and responses that clients have not read. Start with {@link
 * io.berth.http.GuardHandler}. The guard does not know routes, callers or error bodies; a service renders the guard's
 * refusals ({@link io.berth.http.RefusalRenderer}) and requests the admission of each body ({@link
 * io.berth.http.Bodies}).
 *
 * <p>The guard consists of handlers in Netty's pipelines, which Vert.x makes accessible only to a transport ({@link
 * io.berth.http.GuardedTransport}).
 *
 * <p>The package also has an optional port for {@code /q} ({@link io.berth.http.ManagementPort}), the page of the API
 * ({@link io.berth.http.ApiPage}) and the header Date ({@code DateHeader}).
 */
package io.berth.http;
