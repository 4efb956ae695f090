/**
 * What the specification of the routes has in common, said once:
 * {@link io.berth.scheduler.openapi.Specification} completes {@code META-INF/openapi.yaml} when the service is built.
 */
package io.berth.scheduler.openapi;
