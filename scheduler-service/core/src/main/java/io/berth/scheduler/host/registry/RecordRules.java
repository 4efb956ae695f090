package io.berth.scheduler.host.registry;

import io.smallrye.mutiny.Uni;
import java.util.List;

/** What records must not say, given the others that are registered. */
public interface RecordRules {
    /** Fails with ApiFault (409) for the first of the records that must not be written. */
    Uni<Void> check(List<? extends RegistryRecord> wanted);
}
