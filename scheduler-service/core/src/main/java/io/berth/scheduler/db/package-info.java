/**
 * How the scheduler reaches its database: the URL, its two pools, batches that share a commit. The schema is in
 * {@code resources/db/scheduler}.
 */
package io.berth.scheduler.db;
