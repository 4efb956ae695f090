/**
 * Filters that nova removed between 2017 and 2023, for clouds whose {@code enabled_filters} still name them. CDI
 * discovers the classes; no other package refers to them except {@code legacy.attestation}. This package must depend
 * only on the extension interfaces ({@code scheduler-spi}) and the engine.
 */
package io.berth.scheduler.legacy.filter;
