package io.berth.scheduler.host.registry;

import io.smallrye.mutiny.Uni;
import java.util.List;

/** Checks records against the other registered records before they are written. */
public interface RecordRules {
    /** Completes if all records obey the rules; fails with ApiFault (409) for the first record that violates one. */
    Uni<Void> check(List<? extends RegistryRecord> toWrite);
}
