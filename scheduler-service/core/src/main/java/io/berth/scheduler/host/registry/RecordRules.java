package io.berth.scheduler.host.registry;

import io.smallrye.mutiny.Uni;
import java.util.List;

/** Rules for records that depend on the other registered records. */
public interface RecordRules {
    /** Fails with ApiFault (409) for the first record that must not be written. */
    Uni<Void> check(List<? extends RegistryRecord> wanted);
}
