/**
 * Hostile requests to both services, over real sockets: valid requests, mutated. Entry point: {@link
 * io.berth.deploy.fuzz.FuzzMain}; the valid requests: {@link io.berth.deploy.fuzz.Story}; the mutations: {@link
 * io.berth.deploy.fuzz.BodyMutation}, {@link io.berth.deploy.fuzz.TextMutation} and {@link
 * io.berth.deploy.fuzz.WireMutation}. The same seed makes the same requests; the responses also depend on earlier
 * requests. Must not depend on the services' code.
 */
package io.berth.deploy.fuzz;
