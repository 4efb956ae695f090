/**
 * Completes the OpenAPI document at build time: {@link io.berth.scheduler.openapi.Specification} adds the parts that
 * many routes share to {@code META-INF/openapi.yaml}. Quarkus calls this class; no other package uses this package.
 */
package io.berth.scheduler.openapi;
