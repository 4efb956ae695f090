/**
 * The routes that list, create, replace and delete registered records, one record or many records of a collection in
 * one transaction: {@link io.berth.scheduler.host.registry.edit.RegistryEndpoint}. Uses Hibernate Reactive. This
 * package must not depend on {@code snapshot}, the registry in memory.
 */
package io.berth.scheduler.host.registry.edit;
