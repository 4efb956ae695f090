package io.berth.scheduler.placement;

import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Names of the resource providers nobody registered as compute nodes. Kept for a minute: a provider's name hardly ever
 * changes, and reading all of them per decision would cost more than the decision.
 */
@Singleton
public class ProviderNames {
    private static final long KEEP_NANOS = Duration.ofSeconds(60).toNanos();

    private final PlacementClient placement;
    private volatile Known known = new Known(Map.of(), 0);

    ProviderNames(PlacementClient placement) {
        this.placement = placement;
    }

    private record Known(Map<String, String> namesByUuid, long readAtNanos) {
        boolean isFresh() {
            return !namesByUuid.isEmpty() && System.nanoTime() - readAtNanos < KEEP_NANOS;
        }
    }

    /** What was read last, however long ago; empty if nothing was. The same object until names are read again. */
    public Map<String, String> lastKnown() {
        return known.namesByUuid();
    }

    /** Whether {@link #lastKnown} may be used without asking {@link #of}. */
    public boolean areFresh() {
        return known.isFresh();
    }

    /** At least the names of these, as far as placement knows them; asks placement only for names not known. */
    public Uni<ProvidersAnswer> of(Set<String> uuids, String requestId) {
        Known now = known;
        if (uuids.isEmpty() || (now.isFresh() && now.namesByUuid().keySet().containsAll(uuids))) {
            return Uni.createFrom().item(new ProvidersAnswer.Listed(now.namesByUuid()));
        }
        return all(requestId);
    }

    /** Uuids of the providers with one of these names, freshly read. */
    public Uni<ProvidersAnswer> named(Collection<String> names, String requestId) {
        return all(requestId).map(answer -> switch (answer) {
            case ProvidersAnswer.Listed listed -> new ProvidersAnswer.Listed(listed.namesByUuid().entrySet().stream()
                    .filter(entry -> names.contains(entry.getValue()))
                    .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
            case ProvidersAnswer.Unreachable lost -> lost;
        });
    }

    private Uni<ProvidersAnswer> all(String requestId) {
        return placement.listProviders(requestId).invoke(answer -> {
            if (answer instanceof ProvidersAnswer.Listed listed) {
                known = new Known(listed.namesByUuid(), System.nanoTime());
            }
        });
    }
}
