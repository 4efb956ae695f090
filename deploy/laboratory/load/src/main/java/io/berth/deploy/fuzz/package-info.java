/**
 * The fuzzer of both services, for {@code deploy/test/fuzz}: sends mutated requests over sockets. The valid requests
 * are in {@link io.berth.deploy.fuzz.Story}; bodies, texts and framing are mutated by
 * {@link io.berth.deploy.fuzz.BodyMutation}, {@link io.berth.deploy.fuzz.TextMutation} and
 * {@link io.berth.deploy.fuzz.WireMutation}. The same seed gives the same requests; the responses also depend on
 * earlier requests.
 *
 * <p>Entry point: {@link io.berth.deploy.fuzz.FuzzMain}. Must not depend on the services' code.
 */
package io.berth.deploy.fuzz;
