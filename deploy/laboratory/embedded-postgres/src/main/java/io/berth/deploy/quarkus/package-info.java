/**
 * Finds, for tests of both services, the routes of a service that may write, and the configuration values that are
 * injected at static initialization.
 */
package io.berth.deploy.quarkus;
