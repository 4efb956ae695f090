package io.berth.placement.candidate.search;

import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Inventories;
import io.berth.placement.fleet.NameCatalogue;
import io.berth.placement.fleet.Provider;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Builds small fleets for tests: {@code aFleet().root("cn1").inventory("VCPU", 8).traits("A").child("numa0")...}. Calls
 * after {@code root} or {@code child} describe that provider; {@code child} adds a provider below the last {@code root}
 * or {@code under}.
 */
public final class FleetBuilder {
    /** One inventory, with the settings of the API. */
    public record Stock(int total, int reserved, int minUnit, int maxUnit, int stepSize, double ratio, long used) {}

    /** One provider as described. */
    static final class Described {
        final long id;
        final String name;
        final Described parent;
        final Map<String, Stock> stocks = new LinkedHashMap<>();
        final Set<String> traits = new LinkedHashSet<>();
        final Set<String> aggregates = new LinkedHashSet<>();

        Described(long id, String name, Described parent) {
            this.id = id;
            this.name = name;
            this.parent = parent;
        }

        Described root() {
            return parent == null ? this : parent.root();
        }

        UUID uuid() {
            return uuidOf(name);
        }
    }

    private final List<Described> providers = new ArrayList<>();
    private final Map<String, Integer> classes = new LinkedHashMap<>();
    private final Map<String, Integer> traits = new LinkedHashMap<>();
    private Described parent;
    private Described last;

    public static FleetBuilder aFleet() {
        return new FleetBuilder().knowingTraits(SharingProviders.TRAIT).knowingClasses("VCPU", "MEMORY_MB", "DISK_GB");
    }

    /** Returns a stable uuid for the name of a provider or aggregate. */
    public static UUID uuidOf(String name) {
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    }

    public FleetBuilder knowingTraits(String... names) {
        Arrays.stream(names).forEach(name -> traits.putIfAbsent(name, traits.size() + 1));
        return this;
    }

    public FleetBuilder knowingClasses(String... names) {
        Arrays.stream(names).forEach(name -> classes.putIfAbsent(name, classes.size()));
        return this;
    }

    public FleetBuilder root(String name) {
        parent = add(name, null);
        return this;
    }

    public FleetBuilder child(String name) {
        add(name, parent);
        return this;
    }

    /** Adds further children below the provider that was described last. */
    public FleetBuilder under() {
        parent = last;
        return this;
    }

    /** Adds further children below that provider. */
    public FleetBuilder under(String name) {
        parent = find(name);
        return this;
    }

    private Described add(String name, Described above) {
        last = new Described(providers.size() + 1, name, above);
        providers.add(last);
        return last;
    }

    public FleetBuilder inventory(String resourceClass, int total) {
        return inventory(resourceClass, new Stock(total, 0, 1, Integer.MAX_VALUE, 1, 1.0, 0));
    }

    public FleetBuilder used(String resourceClass, int total, long used) {
        return inventory(resourceClass, new Stock(total, 0, 1, Integer.MAX_VALUE, 1, 1.0, used));
    }

    public FleetBuilder inventory(String resourceClass, Stock stock) {
        knowingClasses(resourceClass);
        last.stocks.put(resourceClass, stock);
        return this;
    }

    public FleetBuilder traits(String... names) {
        knowingTraits(names);
        last.traits.addAll(Arrays.asList(names));
        return this;
    }

    public FleetBuilder in(String... aggregates) {
        last.aggregates.addAll(Arrays.asList(aggregates));
        return this;
    }

    public FleetBuilder sharing(String... aggregates) {
        return traits(SharingProviders.TRAIT).in(aggregates);
    }

    List<Described> providers() {
        return providers;
    }

    Set<String> classNames() {
        return classes.keySet();
    }

    Described find(String name) {
        return providers.stream().filter(provider -> provider.name.equals(name)).findFirst().orElseThrow();
    }

    public FleetView view() {
        List<NameCatalogue.Entry> classEntries =
                classes.entrySet().stream().map(e -> new NameCatalogue.Entry(e.getValue(), e.getKey(), 0)).toList();
        List<NameCatalogue.Entry> traitEntries =
                traits.entrySet().stream().map(e -> new NameCatalogue.Entry(e.getValue(), e.getKey(), 0)).toList();
        return FleetView.empty()
                .with(providers.stream().map(this::provider).toList(), List.of(), classEntries, traitEntries);
    }

    private Provider provider(Described described) {
        return new Provider(
                described.id, described.uuid(), described.name, 0, described.parent == null ? 0 : described.parent.id,
                described.root().id, 0, inventories(described),
                described.traits.stream().mapToInt(traits::get).toArray(),
                described.aggregates.stream().map(FleetBuilder::uuidOf).toArray(UUID[]::new));
    }

    private Inventories inventories(Described described) {
        var byId = new TreeMap<Integer, Stock>();
        described.stocks.forEach((name, stock) -> byId.put(classes.get(name), stock));
        List<Stock> stocks = List.copyOf(byId.values());
        return new Inventories(
                byId.keySet().stream().mapToInt(Integer::intValue).toArray(),
                stocks.stream().mapToInt(Stock::total).toArray(),
                stocks.stream().mapToInt(Stock::reserved).toArray(),
                stocks.stream().mapToInt(Stock::minUnit).toArray(),
                stocks.stream().mapToInt(Stock::maxUnit).toArray(),
                stocks.stream().mapToInt(Stock::stepSize).toArray(),
                stocks.stream().mapToDouble(Stock::ratio).toArray(),
                stocks.stream().mapToLong(Stock::used).toArray(),
                0);
    }
}
