/** Finds routes and injections in a service's classes as Quarkus does, for tests of both services. */
package io.berth.deploy.quarkus;
