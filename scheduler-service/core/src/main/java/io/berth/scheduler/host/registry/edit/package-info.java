/**
 * Edits registered records with Hibernate Reactive: {@link io.berth.scheduler.host.registry.edit.RegistryEndpoint}
 * creates, changes and deletes them, one at a time or many of a collection in one transaction. This package must not
 * know the registry in memory.
 */
package io.berth.scheduler.host.registry.edit;
