/**
 * Filters that nova removed between 2017 and 2023, and that some clouds still name in {@code enabled_filters}.
 * They depend only on the interfaces of extensions and the engine.
 */
package io.berth.scheduler.legacy.filter;
