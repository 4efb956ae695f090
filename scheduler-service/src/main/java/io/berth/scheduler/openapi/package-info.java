/**
 * Adds the common parts of the specification of all routes: {@link io.berth.scheduler.openapi.Specification}
 * completes {@code META-INF/openapi.yaml} when the service is built.
 */
package io.berth.scheduler.openapi;
