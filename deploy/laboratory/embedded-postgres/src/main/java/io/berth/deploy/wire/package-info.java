/**
 * A network that fails on command: {@link io.berth.deploy.wire.Wire} is between two processes of a test. Never in a
 * production artifact.
 */
package io.berth.deploy.wire;
