/**
 * {@link io.berth.scheduler.host.registry.edit.RegistryEndpoint} serves the routes that list, read, create, replace and
 * delete registered records; one request can write many records of a collection in one transaction.
 * {@code RegistryStore} stores them with Hibernate Reactive. This package must not depend on {@code snapshot}, the
 * registry in memory.
 */
package io.berth.scheduler.host.registry.edit;
