/**
 * {@link io.berth.scheduler.host.registry.edit.RegistryEndpoint} creates, changes and deletes one registered record at a
 * time (Hibernate Reactive). Must not know the registry in memory.
 */
package io.berth.scheduler.host.registry.edit;
