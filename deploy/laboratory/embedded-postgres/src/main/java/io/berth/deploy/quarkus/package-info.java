/** Reads what Quarkus derives from a service's classes, for tests of both services. */
package io.berth.deploy.quarkus;
