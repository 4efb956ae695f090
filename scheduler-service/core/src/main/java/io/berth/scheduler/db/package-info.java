/**
 * Connects the scheduler to its database: the URL, its two pools, and batches that share a commit. The schema is in
 * {@code resources/db/scheduler}.
 */
package io.berth.scheduler.db;
