/**
 * Reads the registry of hosts from nova's databases ({@link io.berth.scheduler.nova.database.NovaRegistry}, which the
 * core uses as its {@code RegistrySource}). Reads the API database and the databases of all cells before each decision,
 * unless the option {@code berth.nova.max-age} permits older content. Writes only the scheduler's own row of {@code
 * services}. Must not depend on filters, placement or messages.
 */
package io.berth.scheduler.nova.database;
