/**
 * A request to place instances: {@link io.berth.scheduler.request.RequestSpec} with its flavor, image, server group and
 * hints. {@link io.berth.scheduler.request.ImageProperties} parses image properties, {@link
 * io.berth.scheduler.request.Constraints} derives the NUMA topology and PCI requests, and {@link
 * io.berth.scheduler.request.RequestWarnings} finds keys without effect.
 *
 * <p>The values are immutable, and the package does no I/O. It must not depend on hosts, filters or the decision.
 */
package io.berth.scheduler.request;
