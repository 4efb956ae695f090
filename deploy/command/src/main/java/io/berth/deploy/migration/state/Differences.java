package io.berth.deploy.migration.state;

import io.berth.deploy.migration.state.Difference.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;

/**
 * Compares two states. Ignores which standard traits and resource classes a service knows, because that depends on its
 * version; the traits and inventories of providers are compared with all names.
 */
public final class Differences {
    private final List<Difference> entries = new ArrayList<>();

    private Differences() {}

    /**
     * Returns the differences of resource classes, then of traits, providers and consumers; empty if the states are
     * equal. Within each of these four, what is missing or different in the target comes before what only the target
     * has, both in ascending order.
     */
    public static List<Difference> between(PlacementState source, PlacementState target) {
        var differences = new Differences();
        differences.compareNames("resource class", source.resourceClasses(), target.resourceClasses());
        differences.compareNames("trait", source.traits(), target.traits());
        differences.compareAll("provider", source.providers(), target.providers(), differences::compareProvider);
        differences.compareAll("consumer", source.consumers(), target.consumers(), differences::compareConsumer);
        return List.copyOf(differences.entries);
    }

    private void compareNames(String itemKind, SortedSet<String> source, SortedSet<String> target) {
        for (String name : source) {
            if (PlacementState.isCustom(name) && !target.contains(name)) {
                add(Kind.NOT_AS_IN_SOURCE, "%s %s is missing", itemKind, name);
            }
        }
        for (String name : target) {
            if (PlacementState.isCustom(name) && !source.contains(name)) {
                add(Kind.ONLY_IN_TARGET, "%s %s is only in the target", itemKind, name);
            }
        }
    }

    private interface Comparison<T> {
        void compare(UUID uuid, T source, T target);
    }

    private <T> void compareAll(String itemKind, Map<UUID, T> source, Map<UUID, T> target, Comparison<T> comparison) {
        new TreeMap<>(source).forEach((uuid, wanted) -> {
            T actual = target.get(uuid);
            if (actual == null) {
                add(Kind.NOT_AS_IN_SOURCE, "%s %s is missing", itemKind, uuid);
            } else {
                comparison.compare(uuid, wanted, actual);
            }
        });
        new TreeMap<>(target).keySet().stream().filter(uuid -> !source.containsKey(uuid)).forEach(
                uuid -> add(Kind.ONLY_IN_TARGET, "%s %s is only in the target", itemKind, uuid));
    }

    private void compareProvider(UUID uuid, Provider source, Provider target) {
        compareMember("provider", uuid, "name", Provider::name, source, target);
        compareMember("provider", uuid, "parent", Provider::parent, source, target);
        compareMember("provider", uuid, "inventories", Provider::inventories, source, target);
        compareMember("provider", uuid, "traits", Provider::traits, source, target);
        compareMember("provider", uuid, "aggregates", Provider::aggregates, source, target);
    }

    private void compareConsumer(UUID uuid, Consumer source, Consumer target) {
        compareMember("consumer", uuid, "project", Consumer::project, source, target);
        compareMember("consumer", uuid, "user", Consumer::user, source, target);
        compareMember("consumer", uuid, "type", Consumer::type, source, target);
        compareMember("consumer", uuid, "allocations", Consumer::amounts, source, target);
    }

    private <T> void compareMember(String itemKind, UUID uuid, String name, Function<T, ?> getter, T source, T target) {
        Object wanted = getter.apply(source);
        Object actual = getter.apply(target);
        if (!Objects.equals(wanted, actual)) {
            add(Kind.NOT_AS_IN_SOURCE, "%s %s: %s %s in the target, %s in the source",
                    itemKind, uuid, name, actual, wanted);
        }
    }

    private void add(Kind kind, String format, Object... values) {
        entries.add(new Difference(kind, format.formatted(values)));
    }
}
