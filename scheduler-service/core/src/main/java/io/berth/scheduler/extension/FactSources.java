package io.berth.scheduler.extension;

import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostFactSource;
import io.berth.scheduler.spi.HostFilter;
import io.quarkus.arc.All;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Queries {@link HostFactSource} beans, such as one for an attestation service, for the facts about hosts that enabled
 * filters read, before the filters run. If no bean serves an enabled filter, no host changes: {@link #add} returns its
 * input, and {@link #find} returns the identity function, {@link HostFactSource#AS_REPORTED}.
 */
@Singleton
public class FactSources {
    private final List<HostFactSource> sources;

    FactSources(@All List<HostFactSource> sources) {
        this.sources = List.copyOf(sources);
    }

    /** Returns whether the filter reads facts that a source provides; false without sources. */
    public boolean serves(HostFilter filter) {
        return sources.stream().anyMatch(source -> source.serves(filter));
    }

    /**
     * Returns the hosts in the same order, with the facts that the enabled filters read. Does not fail, because a
     * {@link HostFactSource} must not.
     */
    public Uni<List<HostState>> add(RequestSpec spec, List<HostState> hosts, EnabledFilters filters) {
        return find(spec, hosts, filters)
                .map(facts -> facts == HostFactSource.AS_REPORTED ? hosts : hosts.stream().map(facts).toList());
    }

    /**
     * Returns a function that adds the facts to a host. The Uni does not fail; if a source was queried, the Uni
     * completes on a thread of that source instead of the event loop.
     */
    public Uni<UnaryOperator<HostState>> find(RequestSpec spec, Collection<HostState> hosts, EnabledFilters filters) {
        Uni<UnaryOperator<HostState>> found = Uni.createFrom().item(HostFactSource.AS_REPORTED);
        for (HostFactSource source : sources) {
            if (filters.inOrder().stream().anyMatch(source::serves)) {
                found = found.chain(earlier -> Uni.createFrom().completionStage(source.find(spec, hosts))
                        .map(facts -> compose(earlier, facts)));
            }
        }
        return found;
    }

    private static UnaryOperator<HostState> compose(UnaryOperator<HostState> earlier, UnaryOperator<HostState> facts) {
        return earlier == HostFactSource.AS_REPORTED ? facts : host -> facts.apply(earlier.apply(host));
    }
}
