/**
 * A request for placement: {@link io.berth.scheduler.request.RequestSpec}, its flavor and image, and how raw image
 * properties become known ones ({@link io.berth.scheduler.request.ImageProperties}).
 *
 * <p>Immutable values without I/O. Must not depend on hosts, filters or the decision.
 */
package io.berth.scheduler.request;
