/**
 * Checks that the parts of a deployment fit together: the manifests and the compose file match their schemas and the
 * services, and the input of a native build matches the services at run time. Reads files, starts nothing.
 */
package io.berth.deploy.checks;
