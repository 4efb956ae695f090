/**
 * Completes the OpenAPI document at build time: {@link io.berth.scheduler.openapi.Specification} adds the parts that
 * many routes share to {@code META-INF/openapi.yaml}. Quarkus calls it; no other package uses this one.
 */
package io.berth.scheduler.openapi;
