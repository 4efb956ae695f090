package io.berth.scheduler.boot;

import jakarta.annotation.Nullable;

/**
 * The record of a boot that is about to claim.
 *
 * @param registration of its only instance, on the host that is tried first, as JSON text; null for several
 * @param kept by instance, what it holds already, as JSON text; null for nothing
 */
record Start(Asked asked, @Nullable String answer, @Nullable String registration, @Nullable String kept) {}
