package io.berth.placement.ledger;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Caches ids of providers and standard resource classes from earlier batches, so that a batch need not query them. The
 * id of an existing row never changes. But a provider may be deleted and created again with the same uuid, and then has
 * another id: a batch that locks by the cached id finds the row missing, removes the ids of all its providers and runs
 * again. Thread-safe.
 */
final class IdCache {
    /** The limit of cached providers, which take some tens of MB; the cache is cleared when it is full. */
    private static final int PROVIDERS_MAX = 200_000;
    private static final String CUSTOM = "CUSTOM_";

    private final Map<UUID, Long> providers = new ConcurrentHashMap<>();
    private final Map<String, Integer> standardClasses = new ConcurrentHashMap<>();

    /** Returns the ids in the order of the uuids; null unless all are known. */
    Long[] findProviders(Collection<UUID> uuids) {
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

    void learnProvider(UUID uuid, long id) {
        if (providers.size() >= PROVIDERS_MAX) {
            providers.clear();
        }
        providers.put(uuid, id);
    }

    void forgetProviders(Collection<UUID> uuids) {
        uuids.forEach(providers::remove);
    }

    /** Adds the known ids to {@code found}, and returns the names without a known id. */
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

    /** Ignores custom classes, because they can be renamed and deleted. */
    void learnClass(String name, int id) {
        if (!name.startsWith(CUSTOM)) {
            standardClasses.put(name, id);
        }
    }
}
