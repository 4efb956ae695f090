/**
 * The registered records about hosts, which placement does not have, and the parsers of their JSON: compute nodes,
 * services, host aggregates, cells, server groups, instances. {@link io.berth.scheduler.host.registry.RecordCollection}
 * lists the collections. The subpackages {@code edit}, {@code instance} and {@code heartbeat} write records to
 * PostgreSQL; {@code snapshot} holds all records in memory for decisions. This package must not depend on placement,
 * filters, weighers or its subpackages.
 */
package io.berth.scheduler.host.registry;
