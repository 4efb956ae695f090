/** How the scheduler reaches its database: the URL, SQLSTATEs. The schema is in {@code resources/db/scheduler}. */
package io.berth.scheduler.db;
