/**
 * Makes nova's databases the registry of hosts ({@link io.berth.scheduler.nova.database.NovaRegistry}). Reads the API
 * database and those of all cells before each decision, and writes only the scheduler's own row of {@code services}.
 * Must not depend on filters, placement or messages.
 */
package io.berth.scheduler.nova.database;
