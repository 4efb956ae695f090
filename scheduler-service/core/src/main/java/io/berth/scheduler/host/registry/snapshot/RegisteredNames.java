package io.berth.scheduler.host.registry.snapshot;

import io.berth.scheduler.host.registry.RecordRules;
import io.berth.scheduler.host.registry.RegistryRecord;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.List;

/** Checks records that are to be written against {@link HostNameRules}, with the current registry. */
@Singleton
class RegisteredNames implements RecordRules {
    private final RegistryFeed feed;

    RegisteredNames(RegistryFeed feed) {
        this.feed = feed;
    }

    @Override
    public Uni<Void> check(List<? extends RegistryRecord> wanted) {
        return feed.current().invoke(registered -> wanted.forEach(record -> {
            String breach = HostNameRules.findBreach(record, registered);
            if (breach != null) {
                throw new ApiFault(ErrorCode.CONFLICT, breach);
            }
        })).replaceWithVoid();
    }
}
