/**
 * Finds the URL and the credential for each service, from the sources that other OpenStack clients use: clouds.yaml,
 * OS_* variables, Keystone and its catalog.
 *
 * <p>Entry points: {@link io.berth.deploy.cloud.CloudOptions} for commands that call one cloud, and
 * {@link io.berth.deploy.cloud.Access} for import and export, which call two clouds.
 */
package io.berth.deploy.cloud;
