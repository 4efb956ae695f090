/**
 * The routes that list, read, create, replace and delete registered records; many records of a collection can be
 * written in one transaction: {@link io.berth.scheduler.host.registry.edit.RegistryEndpoint}. Uses Hibernate Reactive.
 * This package must not depend on {@code snapshot}, the registry in memory.
 */
package io.berth.scheduler.host.registry.edit;
