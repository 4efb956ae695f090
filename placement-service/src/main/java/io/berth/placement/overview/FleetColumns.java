package io.berth.placement.overview;

import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Inventories;
import io.berth.placement.fleet.Inventory;
import io.berth.placement.fleet.Provider;
import io.berth.placement.fleet.ProviderTree;
import io.berth.placement.http.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * All trees of a view as columns, one position per tree, so that 50,000 of them are some megabytes: what a tree has and
 * uses of each class is the sum over its providers; traits and aggregates are positions in lists of different sets, of
 * which a fleet has few. A class takes memory for the trees that have it, and its zeros for the others are made when they
 * are sent: a fleet may have a hundred classes of which each tree has three. Pure.
 */
final class FleetColumns {
    /** Numbers that are made at a time, by an event loop. */
    private static final int TOGETHER = 5_000;

    private final FleetView view;
    private final List<ProviderTree> trees = new ArrayList<>();
    /** By class id. */
    private final Map<Integer, Column> columns = new TreeMap<>();

    /** What trees have of one class: those that have any, in their order. */
    private static final class Column {
        private static final int FIRST = 8;

        private int[] trees = new int[FIRST];
        /** As it is shown, whole. */
        private long[] capacity = new long[FIRST];
        private long[] used = new long[FIRST];
        /** Of the first provider that has the class. */
        private double[] ratio = new double[FIRST];
        private int count;

        void add(int tree, long more, long moreUsed, double allocationRatio) {
            if (count == 0 || trees[count - 1] != tree) {
                if (count == trees.length) {
                    int room = 2 * count;
                    trees = Arrays.copyOf(trees, room);
                    capacity = Arrays.copyOf(capacity, room);
                    used = Arrays.copyOf(used, room);
                    ratio = Arrays.copyOf(ratio, room);
                }
                trees[count++] = tree;
            }
            int last = count - 1;
            capacity[last] += more;
            used[last] += moreUsed;
            if (ratio[last] == 0) {
                ratio[last] = allocationRatio;
            }
        }

        /** Of some trees as a list, zero where one has none. */
        byte[] json(Figure figure, int from, int until) {
            double[] ratios = new double[figure == Figure.ALLOCATION_RATIO ? until - from : 0];
            long[] amounts = new long[figure == Figure.ALLOCATION_RATIO ? 0 : until - from];
            int found = Arrays.binarySearch(trees, 0, count, from);
            for (int i = found < 0 ? -found - 1 : found; i < count && trees[i] < until; i++) {
                switch (figure) {
                    case CAPACITY -> amounts[trees[i] - from] = capacity[i];
                    case USED -> amounts[trees[i] - from] = used[i];
                    case ALLOCATION_RATIO -> ratios[trees[i] - from] = ratio[i];
                }
            }
            return figure == Figure.ALLOCATION_RATIO
                    ? Json.write(json -> json.writeArray(ratios, 0, ratios.length))
                    : Json.write(json -> json.writeArray(amounts, 0, amounts.length));
        }
    }

    /** In the order in which they are told. */
    private enum Figure {
        CAPACITY,
        USED,
        ALLOCATION_RATIO
    }

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
            columns.computeIfAbsent(inventories.classIds()[i], _ -> new Column()).add(
                    tree, (long) Inventory.whole(inventories.capacity(i)), inventories.used()[i],
                    inventories.allocationRatio()[i]);
        }
    }

    /** One JSON object in parts, each of so many numbers of one class: but for the first, which is of the trees. */
    Supplier<Iterator<byte[]>> parts(Instant time) {
        byte[] head = head(time);
        byte[] end = "}}".getBytes(StandardCharsets.UTF_8);
        int each = Figure.values().length * chunkCount();
        List<Integer> classIds = List.copyOf(columns.keySet());
        return () -> IntStream.rangeClosed(-1, each * classIds.size())
                .mapToObj(part -> part < 0
                        ? head
                        : part == each * classIds.size() ? end : part(classIds, part / each, part % each))
                .iterator();
    }

    private int chunkCount() {
        return Math.ceilDiv(trees.size(), TOGETHER);
    }

    /** All before the first resource class. */
    private byte[] head(Instant time) {
        byte[] whole = Json.writeObject(json -> {
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
            json.writeEndObject();
        });
        return Arrays.copyOf(whole, whole.length - 2);
    }

    /** @param part of those of the class at that index */
    private byte[] part(List<Integer> classIds, int index, int part) {
        int classId = classIds.get(index);
        Figure figure = Figure.values()[part / chunkCount()];
        int chunk = part % chunkCount();
        int from = chunk * TOGETHER;
        byte[] list = columns.get(classId).json(figure, from, Math.min(trees.size(), from + TOGETHER));
        var bytes = new ByteArrayOutputStream(list.length + 64);
        if (part == 0) {
            bytes.writeBytes((index == 0 ? "" : ",").getBytes(StandardCharsets.UTF_8));
            bytes.writeBytes(Json.quoted(view.resourceClasses().name(classId)));
        }
        if (chunk == 0) {
            String name = figure.name().toLowerCase(Locale.ROOT);
            bytes.writeBytes(((part == 0 ? ":{" : ",") + '"' + name + "\":[").getBytes(StandardCharsets.UTF_8));
        } else {
            bytes.write(',');
        }
        // Without its brackets.
        bytes.write(list, 1, list.length - 2);
        if (chunk == chunkCount() - 1) {
            bytes.write(']');
        }
        if (part == Figure.values().length * chunkCount() - 1) {
            bytes.write('}');
        }
        return bytes.toByteArray();
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
