/**
 * The identity and the addresses of the services, from the sources that other clients of OpenStack use: clouds.yaml,
 * OS_* variables, Keystone and its catalog.
 *
 * <p>Entry points: {@link io.berth.deploy.cloud.CloudOptions} for commands, {@link io.berth.deploy.cloud.Access} behind
 * it.
 */
package io.berth.deploy.cloud;
