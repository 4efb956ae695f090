/**
 * The fuzzer of both services, for {@code deploy/test/fuzz}: sends mutated requests over sockets. The valid requests
 * are in {@link io.berth.deploy.fuzz.RequestTemplate}. {@link io.berth.deploy.fuzz.BodyMutation} mutates bodies,
 * {@link io.berth.deploy.fuzz.TextMutation} methods, paths, queries and header values, and
 * {@link io.berth.deploy.fuzz.WireMutation} the framing. The same seed gives the same requests; the responses also
 * depend on earlier requests.
 *
 * <p>Entry point: {@link io.berth.deploy.fuzz.FuzzMain}. This package must not depend on the services' code.
 */
package io.berth.deploy.fuzz;
