/**
 * Hostile requests to both services, over real sockets: valid requests, mutated. Entry point: {@link
 * io.berth.deploy.fuzz.FuzzMain}; what is valid: {@link io.berth.deploy.fuzz.Story}; how it is spoilt: {@link
 * io.berth.deploy.fuzz.BodyMutation}, {@link io.berth.deploy.fuzz.TextMutation} and {@link
 * io.berth.deploy.fuzz.WireMutation}. The same seed makes the same requests; what the services answer depends on those
 * before, too. Must not depend on the services' code.
 */
package io.berth.deploy.fuzz;
