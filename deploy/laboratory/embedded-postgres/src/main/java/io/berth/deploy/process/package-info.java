/**
 * Helpers for tests that run a packaged service in a process of its own: the process
 * ({@link io.berth.deploy.process.ServiceProcess}), calls ({@link io.berth.deploy.process.Api},
 * {@link io.berth.deploy.process.RawConnection}), waiting ({@link io.berth.deploy.process.Await}) and certificates for
 * TLS ({@link io.berth.deploy.process.SelfSigned}). This package must not be in a production artifact.
 */
package io.berth.deploy.process;
