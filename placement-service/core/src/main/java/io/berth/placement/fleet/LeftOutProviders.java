package io.berth.placement.fleet;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/**
 * The providers that a view {@linkplain FleetView#leftOut leaves out} because their parents do not lead to their root,
 * for logs, metrics and the readiness probe.
 *
 * @param trees the number of different {@code root_id}s of these providers
 * @param providers the uuids of the providers, in the order of creation
 */
record LeftOutProviders(int trees, List<UUID> providers) {
    static final LeftOutProviders NOTHING = new LeftOutProviders(0, List.of());
    /** The most providers in {@link #shown}. */
    private static final int SHOWN_MAX = 10;

    LeftOutProviders {
        providers = List.copyOf(providers);
    }

    static LeftOutProviders of(FleetView view) {
        Collection<List<Provider>> trees = view.leftOut().values();
        return trees.isEmpty() ? NOTHING : new LeftOutProviders(
                trees.size(),
                trees.stream().flatMap(List::stream).sorted(Comparator.comparingLong(Provider::id))
                        .map(Provider::uuid).toList());
    }

    /** Returns the first {@value #SHOWN_MAX} uuids, joined with commas; three dots at the end stand for more uuids. */
    String shown() {
        String first = String.join(", ", providers.stream().limit(SHOWN_MAX).map(UUID::toString).toList());
        return providers.size() > SHOWN_MAX ? first + ", ..." : first;
    }
}
