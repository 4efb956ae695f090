/**
 * A network that fails when told to: {@link io.berth.deploy.wire.Wire} stands between two processes of a test. Never
 * in a production artifact.
 */
package io.berth.deploy.wire;
