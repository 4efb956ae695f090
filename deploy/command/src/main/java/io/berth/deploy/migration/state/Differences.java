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

/** Compares two states. Leaves out standard traits and resource classes, which depend on a service's version. */
public final class Differences {
    private final List<Difference> entries = new ArrayList<>();

    private Differences() {}

    /**
     * Returns the differences: names, then providers and consumers in the order of uuids; empty if the states are
     * equal.
     */
    public static List<Difference> between(PlacementState source, PlacementState target) {
        var differences = new Differences();
        differences.names("resource class", source.resourceClasses(), target.resourceClasses());
        differences.names("trait", source.traits(), target.traits());
        differences.all("provider", source.providers(), target.providers(), differences::provider);
        differences.all("consumer", source.consumers(), target.consumers(), differences::consumer);
        return List.copyOf(differences.entries);
    }

    private void names(String what, SortedSet<String> source, SortedSet<String> target) {
        for (String name : source) {
            if (PlacementState.isCustom(name) && !target.contains(name)) {
                add(Kind.NOT_AS_IN_SOURCE, "%s %s is missing", what, name);
            }
        }
        for (String name : target) {
            if (PlacementState.isCustom(name) && !source.contains(name)) {
                add(Kind.ONLY_IN_TARGET, "%s %s is only in the target", what, name);
            }
        }
    }

    private interface Comparison<T> {
        void compare(UUID uuid, T source, T target);
    }

    private <T> void all(String what, Map<UUID, T> source, Map<UUID, T> target, Comparison<T> comparison) {
        new TreeMap<>(source).forEach((uuid, wanted) -> {
            T actual = target.get(uuid);
            if (actual == null) {
                add(Kind.NOT_AS_IN_SOURCE, "%s %s is missing", what, uuid);
            } else {
                comparison.compare(uuid, wanted, actual);
            }
        });
        new TreeMap<>(target).keySet().stream().filter(uuid -> !source.containsKey(uuid)).forEach(
                uuid -> add(Kind.ONLY_IN_TARGET, "%s %s is only in the target", what, uuid));
    }

    private void provider(UUID uuid, Provider source, Provider target) {
        member("provider", uuid, "name", Provider::name, source, target);
        member("provider", uuid, "parent", Provider::parent, source, target);
        member("provider", uuid, "inventories", Provider::inventories, source, target);
        member("provider", uuid, "traits", Provider::traits, source, target);
        member("provider", uuid, "aggregates", Provider::aggregates, source, target);
    }

    private void consumer(UUID uuid, Consumer source, Consumer target) {
        member("consumer", uuid, "project", Consumer::project, source, target);
        member("consumer", uuid, "user", Consumer::user, source, target);
        member("consumer", uuid, "type", Consumer::type, source, target);
        member("consumer", uuid, "allocations", Consumer::amounts, source, target);
    }

    private <T> void member(String what, UUID uuid, String name, Function<T, ?> get, T source, T target) {
        Object wanted = get.apply(source);
        Object actual = get.apply(target);
        if (!Objects.equals(wanted, actual)) {
            add(Kind.NOT_AS_IN_SOURCE, "%s %s: %s %s in the target, %s in the source",
                    what, uuid, name, actual, wanted);
        }
    }

    private void add(Kind kind, String format, Object... values) {
        entries.add(new Difference(kind, format.formatted(values)));
    }
}
