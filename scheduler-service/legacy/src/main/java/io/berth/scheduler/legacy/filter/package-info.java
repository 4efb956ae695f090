/**
 * Filters that some clouds still name in {@code enabled_filters} and most of which nova removed between 2017 and 2023.
 * They depend only on the interfaces of extensions and the engine.
 */
package io.berth.scheduler.legacy.filter;
