package io.berth.placement.ledger;

import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Caches the ids of providers and standard resource classes from earlier batches, so that a batch need not query them.
 * A provider that is deleted and created again with the same uuid has another id. A batch that locks the provider by
 * the cached id then finds no row; the batch removes the ids of all its providers from this cache, and is repeated.
 * Thread-safe.
 */
final class IdCache {
    /** The most cached providers, which take some tens of MB. When the limit is reached, all are removed. */
    private static final int PROVIDERS_MAX = 200_000;
    private static final String CUSTOM_PREFIX = "CUSTOM_";

    private final Map<UUID, Long> providers = new ConcurrentHashMap<>();
    private final Map<String, Integer> standardClasses = new ConcurrentHashMap<>();

    /** Returns the ids of the providers, in the order of the uuids; null if any of these ids is not cached. */
    @Nullable Long[] findProviders(Collection<UUID> uuids) {
        Long[] ids = new Long[uuids.size()];
        int i = 0;
        for (UUID uuid : uuids) {
            Long id = providers.get(uuid);
            if (id == null) {
                return null;
            }
            ids[i++] = id;
        }
        return ids;
    }

    /** Adds the id of a provider. */
    void learnProvider(UUID uuid, long id) {
        if (providers.size() >= PROVIDERS_MAX) {
            providers.clear();
        }
        providers.put(uuid, id);
    }

    /** Removes the ids of providers. */
    void forgetProviders(Collection<UUID> uuids) {
        uuids.forEach(providers::remove);
    }

    /** Adds the cached ids of resource classes to {@code found}, and returns the names that are not cached. */
    List<String> findClasses(Collection<String> names, Map<String, Integer> found) {
        List<String> unknown = new ArrayList<>();
        for (String name : names) {
            Integer id = standardClasses.get(name);
            if (id == null) {
                unknown.add(name);
            } else {
                found.put(name, id);
            }
        }
        return unknown;
    }

    /** Adds the id of a resource class. Ignores custom classes, because they can be renamed and deleted. */
    void learnClass(String name, int id) {
        if (!name.startsWith(CUSTOM_PREFIX)) {
            standardClasses.put(name, id);
        }
    }
}
