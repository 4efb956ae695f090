package io.berth.scheduler.host.registry.snapshot;

import io.berth.scheduler.host.registry.RecordRules;
import io.berth.scheduler.host.registry.RegistryRecord;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Checks that records, before they are written, obey {@link HostNameRules} in the current registry. Fails with ApiFault
 * (409) otherwise.
 */
@Singleton
class HostNameCheck implements RecordRules {
    private final RegistryFeed feed;

    HostNameCheck(RegistryFeed feed) {
        this.feed = feed;
    }

    @Override
    public Uni<Void> check(List<? extends RegistryRecord> records) {
        return feed.current().invoke(registered -> records.forEach(record -> {
            String breach = HostNameRules.findBreach(record, registered);
            if (breach != null) {
                throw new ApiFault(ErrorCode.CONFLICT, breach);
            }
        })).replaceWithVoid();
    }
}
