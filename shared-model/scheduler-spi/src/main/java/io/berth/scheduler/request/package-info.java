/**
 * A request to place instances: {@link io.berth.scheduler.request.RequestSpec} with its flavor, image, server group and
 * hints. {@link io.berth.scheduler.request.ImageProperties} parses image properties, {@link
 * io.berth.scheduler.request.Constraints} derives the NUMA topology and PCI requests, and {@link
 * io.berth.scheduler.request.RequestWarnings} finds keys without effect.
 *
 * <p>Immutable values without I/O. Must not depend on hosts, filters or the decision.
 */
package io.berth.scheduler.request;
