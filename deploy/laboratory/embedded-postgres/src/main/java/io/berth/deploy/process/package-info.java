/**
 * Packaged services as processes of their own, for tests that need the real thing:
 * {@link io.berth.deploy.process.ServiceProcess}, how they are called ({@link io.berth.deploy.process.Api}) and waited
 * for ({@link io.berth.deploy.process.Await}), and certificates for who speaks TLS
 * ({@link io.berth.deploy.process.SelfSigned}). Never in a production artifact.
 */
package io.berth.deploy.process;
