/**
 * Simulates network failures between two processes of a test, with the TCP proxy {@link io.berth.deploy.wire.Wire}.
 * This package must not be in a production artifact.
 */
package io.berth.deploy.wire;
