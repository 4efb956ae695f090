package io.berth.placement.ledger;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Caches the database's ids from earlier batches, so that a batch need not query them again. A mapping is never wrong:
 * a provider's uuid and a standard class's name keep their id for good. But a provider may be deleted, and a new one of
 * the same uuid has another id: a batch that locks by a cached id finds the row missing, removes the entry and queries.
 * For any thread.
 */
final class IdCache {
    /** A limit of some tens of MB; the cache is cleared when it is full. */
    private static final int PROVIDERS_MAX = 200_000;
    private static final String CUSTOM = "CUSTOM_";

    private final Map<UUID, Long> providers = new ConcurrentHashMap<>();
    private final Map<String, Integer> standardClasses = new ConcurrentHashMap<>();

    /** Returns null unless all are known. */
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

    /** Adds the ids of those that are known, returns the names of the others. */
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

    /** Custom classes can be renamed and deleted: they are not kept. */
    void learnClass(String name, int id) {
        if (!name.startsWith(CUSTOM)) {
            standardClasses.put(name, id);
        }
    }
}
