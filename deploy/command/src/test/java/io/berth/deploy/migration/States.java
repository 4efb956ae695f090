package io.berth.deploy.migration;

import io.berth.deploy.migration.state.Consumer;
import io.berth.deploy.migration.state.Inventory;
import io.berth.deploy.migration.state.PlacementState;
import io.berth.deploy.migration.state.Provider;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/** Builds placement states for tests. Providers are identified by the name that they were first built with. */
public final class States {
    public static final Inventory SIXTEEN = new Inventory(16, 0, 1, 16, 1, 1);

    private final TreeSet<String> classes = new TreeSet<>(Set.of("VCPU", "MEMORY_MB"));
    private final TreeSet<String> traits = new TreeSet<>(Set.of("HW_CPU_X86_AVX"));
    private final Map<UUID, Provider> providers = new HashMap<>();
    private final Map<UUID, Consumer> consumers = new HashMap<>();

    public static States aState() {
        return new States();
    }

    public static UUID uuid(String name) {
        return UUID.nameUUIDFromBytes(name.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    public States resourceClass(String name) {
        classes.add(name);
        return this;
    }

    public States trait(String name) {
        traits.add(name);
        return this;
    }

    /** Adds a root with sixteen VCPU; its name is also its identifier. */
    public States host(String known) {
        return provider(known, known, null, Map.of("VCPU", SIXTEEN));
    }

    /** @param parent null for a root */
    public States provider(String known, String name, String parent, Map<String, Inventory> inventories) {
        providers.put(uuid(known), new Provider(name, parent == null ? null : uuid(parent),
                new TreeMap<>(inventories), new TreeSet<>(), Set.of()));
        return this;
    }

    public States traits(String known, String... names) {
        Provider was = providers.get(uuid(known));
        providers.put(uuid(known), new Provider(was.name(), was.parent(), was.inventories(),
                new TreeSet<>(Set.of(names)), was.aggregates()));
        return this;
    }

    /** Adds a consumer that holds VCPU of one provider. */
    public States consumer(String known, String provider, long vcpus) {
        return consumer(known, "INSTANCE", Map.of(uuid(provider), Map.of("VCPU", vcpus)));
    }

    public States consumer(String known, String type, Map<UUID, Map<String, Long>> amounts) {
        consumers.put(uuid(known), new Consumer("p", "u", type, amounts));
        return this;
    }

    public PlacementState build() {
        return new PlacementState(classes, traits, Map.copyOf(providers), Map.copyOf(consumers));
    }
}
