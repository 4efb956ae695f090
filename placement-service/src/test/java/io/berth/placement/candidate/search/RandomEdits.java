package io.berth.placement.candidate.search;

import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Provider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Applies random changes to the fleet of a {@link RandomCloud}, as the API allows them, several at once. The same seed
 * gives the same changes.
 */
final class RandomEdits {
    private final FleetView view;
    private final Random random;
    private final TreeMap<Long, Provider> now = new TreeMap<>();
    private final Set<Long> deleted = new HashSet<>();
    private final Map<Long, Provider> changed = new HashMap<>();

    private RandomEdits(FleetView view, Random random) {
        this.view = view;
        this.random = random;
        view.forEachProvider(provider -> now.put(provider.id(), provider));
    }

    static FleetView apply(FleetView view, Random random, int count) {
        return new RandomEdits(view, random).apply(count);
    }

    private FleetView apply(int count) {
        for (int i = 0; i < count && now.size() > 1; i++) {
            Provider one = some();
            switch (random.nextInt(7)) {
                case 0 -> put(one.with(one.inventories(), one.traitIds().clone(), otherAggregates(one)));
                case 1 -> put(one.with(one.inventories(), otherTraits(one), one.aggregates().clone()));
                case 2 -> put(
                        one.withUsed(Arrays.stream(one.inventories().used()).map(used -> random.nextInt(4)).toArray()));
                case 3 -> below(one).forEach(gone -> {
                    now.remove(gone.id());
                    changed.remove(gone.id());
                    deleted.add(gone.id());
                });
                case 4 -> move(one, null);
                case 5 -> {
                    Provider parent = some();
                    if (!below(one).contains(parent)) {
                        move(one, parent);
                    }
                }
                default -> {
                    // Like a provider that was deleted, and perhaps in its slot.
                    long id = 1_000_000L * view.version() + i;
                    put(new Provider(
                            id, new UUID(9, id), "new" + id, 0, 0, id, 0, one.inventories(), one.traitIds().clone(),
                            one.aggregates().clone()));
                }
            }
        }
        return view.with(changed.values(), deleted.stream().filter(id -> view.find(id) != null).toList(), List.of(),
                List.of());
    }

    private Provider some() {
        return List.copyOf(now.values()).get(random.nextInt(now.size()));
    }

    private void put(Provider provider) {
        now.put(provider.id(), provider);
        changed.put(provider.id(), provider);
    }

    /** Moves a provider with all below it; makes it a root if there is no parent. */
    private void move(Provider top, Provider parent) {
        for (Provider each : below(top)) {
            put(new Provider(
                    each.id(), each.uuid(), each.name(), each.generation(),
                    each != top ? each.parentId() : parent == null ? 0 : parent.id(),
                    parent == null ? top.id() : parent.rootId(),
                    0, each.inventories(), each.traitIds().clone(), each.aggregates().clone()));
        }
    }

    /** Returns the provider itself, then all below it. */
    private List<Provider> below(Provider top) {
        List<Provider> all = new ArrayList<>(List.of(top));
        for (int i = 0; i < all.size(); i++) {
            long parent = all.get(i).id();
            now.values().stream().filter(each -> each.parentId() == parent).forEach(all::add);
        }
        return all;
    }

    private UUID[] otherAggregates(Provider of) {
        UUID other = FleetBuilder.uuidOf(RandomCloud.AGGREGATES[random.nextInt(RandomCloud.AGGREGATES.length)]);
        return of.isIn(other)
                ? Arrays.stream(of.aggregates()).filter(one -> !one.equals(other)).toArray(UUID[]::new)
                : Stream.concat(Arrays.stream(of.aggregates()), Stream.of(other)).toArray(UUID[]::new);
    }

    private int[] otherTraits(Provider of) {
        int other = view.traits().find(RandomCloud.TRAITS[random.nextInt(RandomCloud.TRAITS.length)]).id();
        return of.hasTrait(other)
                ? Arrays.stream(of.traitIds()).filter(one -> one != other).toArray()
                : IntStream.concat(Arrays.stream(of.traitIds()), IntStream.of(other)).toArray();
    }
}
