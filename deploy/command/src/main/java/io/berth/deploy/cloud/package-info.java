/**
 * Who we are and where the services are, as other clients of OpenStack know it: clouds.yaml, OS_* variables, Keystone and
 * its catalogue.
 *
 * <p>Entry points: {@link io.berth.deploy.cloud.CloudOptions} for commands, {@link io.berth.deploy.cloud.Access} behind it.
 */
package io.berth.deploy.cloud;
