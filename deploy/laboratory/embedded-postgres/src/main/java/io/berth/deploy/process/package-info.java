/**
 * Helpers for tests that run a packaged service in a process of its own: the process
 * ({@link io.berth.deploy.process.ServiceProcess}), calls ({@link io.berth.deploy.process.Api},
 * {@link io.berth.deploy.process.RawConnection}), waiting ({@link io.berth.deploy.process.Await}) and certificates for
 * TLS ({@link io.berth.deploy.process.SelfSigned}). Other tests also use the messages that the test's own JVM logs
 * ({@link io.berth.deploy.process.LogLines}) and the seed of random cases ({@link io.berth.deploy.process.Seed}). This
 * package must not be in a production artifact.
 */
package io.berth.deploy.process;
