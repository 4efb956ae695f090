package io.berth.scheduler.host.registry;

import io.smallrye.mutiny.Uni;
import java.util.List;

/** Before records are written, checks them against the other registered records. */
public interface RecordRules {
    /** Fails with ApiFault (409) for the first record that violates a rule. */
    Uni<Void> check(List<? extends RegistryRecord> toWrite);
}
