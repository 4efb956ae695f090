package io.berth.scheduler.boot;

import jakarta.annotation.Nullable;
import java.util.UUID;

/**
 * The record of a boot that is about to claim.
 *
 * @param resources as JSON text
 * @param registration of its only instance, on the host that is tried first, as JSON text; null for several
 * @param kept by instance, what it holds already, as JSON text; null for nothing
 */
record Start(
        Asked asked,
        UUID token,
        String resources,
        @Nullable String answer,
        @Nullable String registration,
        @Nullable String kept) {}
