/**
 * Whether what is deployed fits together: the manifests and the compose file against their schemas and against the
 * services, and what a native build is given against what the services do at run time. Reads files, starts nothing.
 */
package io.berth.deploy.checks;
