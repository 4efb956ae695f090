package io.berth.placement.overview;

import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Inventories;
import io.berth.placement.fleet.Inventory;
import io.berth.placement.fleet.Provider;
import io.berth.placement.fleet.ProviderTree;
import io.berth.placement.http.Json;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * All trees of a view as columns, one position per tree, so that 50,000 of them are some megabytes: what a tree has and
 * uses of each class is the sum over its providers; traits and aggregates are positions in lists of different sets, of
 * which a fleet has few. Pure.
 */
final class FleetColumns {
    private final FleetView view;
    private final List<ProviderTree> trees = new ArrayList<>();
    /** By class id. */
    private final Map<Integer, Column> columns = new TreeMap<>();

    /**
     * What the trees have of one class; all zero where one has none.
     *
     * @param capacity as it is shown, whole
     * @param ratio of the first provider that has the class
     */
    private record Column(long[] capacity, long[] used, double[] ratio) {}

    FleetColumns(FleetView view) {
        this.view = view;
        for (int slot = 0; slot < view.slotCount(); slot++) {
            if (view.tree(slot) != null) {
                trees.add(view.tree(slot));
            }
        }
        for (int i = 0; i < trees.size(); i++) {
            for (Provider provider : trees.get(i).nodes()) {
                add(i, provider.inventories());
            }
        }
    }

    private void add(int tree, Inventories inventories) {
        for (int i = 0; i < inventories.size(); i++) {
            Column column = columns.computeIfAbsent(inventories.classIds()[i], _ -> new Column(
                    new long[trees.size()], new long[trees.size()], new double[trees.size()]));
            column.capacity()[tree] += (long) Inventory.whole(inventories.capacity(i));
            column.used()[tree] += inventories.used()[i];
            if (column.ratio()[tree] == 0) {
                column.ratio()[tree] = inventories.allocationRatio()[i];
            }
        }
    }

    byte[] render(Instant time) {
        return Json.writeObject(json -> {
            json.writeStringField("replica", view.lineage());
            json.writeNumberField("position", view.version());
            json.writeStringField("time", time.toString());
            Json.writeTexts(json, "uuid", trees.stream().map(tree -> tree.root().uuid()).toList());
            Json.writeTexts(json, "name", trees.stream().map(tree -> tree.root().name()).toList());
            json.writeFieldName("providers");
            json.writeArray(trees.stream().mapToInt(ProviderTree::size).toArray(), 0, trees.size());
            writeSets(json, "traits", "trait_sets", trees.stream().map(this::traits).toList());
            writeSets(json, "aggregates", "aggregate_sets", trees.stream().map(FleetColumns::aggregates).toList());
            json.writeObjectFieldStart("resource_classes");
            for (var column : columns.entrySet()) {
                json.writeObjectFieldStart(view.resourceClasses().name(column.getKey()));
                write(json, column.getValue());
                json.writeEndObject();
            }
            json.writeEndObject();
        });
    }

    private static void write(JsonGenerator json, Column column) throws IOException {
        json.writeFieldName("capacity");
        json.writeArray(column.capacity(), 0, column.capacity().length);
        json.writeFieldName("used");
        json.writeArray(column.used(), 0, column.used().length);
        json.writeFieldName("allocation_ratio");
        json.writeArray(column.ratio(), 0, column.ratio().length);
    }

    /** @param sets one per tree */
    private static void writeSets(JsonGenerator json, String column, String name, List<List<String>> sets)
            throws IOException {
        Map<List<String>, Integer> positions = new LinkedHashMap<>();
        json.writeArrayFieldStart(column);
        for (List<String> set : sets) {
            json.writeNumber(positions.computeIfAbsent(set, _ -> positions.size()));
        }
        json.writeEndArray();
        json.writeArrayFieldStart(name);
        for (List<String> set : positions.keySet()) {
            json.writeArray(set.toArray(String[]::new), 0, set.size());
        }
        json.writeEndArray();
    }

    /** Of all the tree's providers, each once, by name. */
    private List<String> traits(ProviderTree tree) {
        return tree.nodes().stream()
                .flatMapToInt(provider -> Arrays.stream(provider.traitIds()))
                .distinct()
                .mapToObj(view.traits()::name)
                .sorted()
                .toList();
    }

    private static List<String> aggregates(ProviderTree tree) {
        return tree.nodes().stream()
                .flatMap(provider -> Arrays.stream(provider.aggregates()))
                .map(Object::toString)
                .distinct()
                .sorted()
                .toList();
    }
}
