package io.berth.placement.overview;

import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.json.JsonLists;
import io.berth.json.Timestamps;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Inventories;
import io.berth.placement.fleet.Inventory;
import io.berth.placement.fleet.Provider;
import io.berth.placement.fleet.ProviderTree;
import io.berth.placement.http.Json;
import io.berth.placement.http.LongLists;
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
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Renders all trees of a {@link FleetView} as columns: JSON lists with one element per tree, all in the order of the
 * trees, so that 50,000 trees take only some megabytes. The capacity and use of a tree are sums over its providers. A
 * fleet has few different sets of traits and aggregates: {@code trait_sets} and {@code aggregate_sets} list each set
 * once, and the columns {@code traits} and {@code aggregates} have an index in these lists for each tree. The sums of a
 * resource class are not kept, but computed each time the {@linkplain #chunks chunks} are iterated, because a fleet may
 * have a hundred classes and clients may read slowly. Pure.
 */
final class FleetColumns {
    /** The maximum count of numbers in a chunk. The event loop renders one chunk at a time. */
    private static final int CHUNK_NUMBERS = 5_000;

    private final FleetView view;
    private final List<ProviderTree> trees = new ArrayList<>();
    /** The ids of the resource classes of all trees, ascending. */
    private final List<Integer> classIds;
    /** The JSON of the response before the first resource class. */
    private final byte[] head;

    /** The columns of a resource class, in the order of the response. */
    private enum ClassColumn {
        CAPACITY,
        USED,
        /** The allocation ratio of the first provider of the tree with the class. */
        ALLOCATION_RATIO
    }

    FleetColumns(FleetView view, Instant time) {
        this.view = view;
        Set<Integer> classes = new TreeSet<>();
        for (int slot = 0; slot < view.slotCount(); slot++) {
            ProviderTree tree = view.findTree(slot);
            if (tree != null) {
                trees.add(tree);
                tree.nodes().forEach(node -> Arrays.stream(node.inventories().classIds()).forEach(classes::add));
            }
        }
        classIds = List.copyOf(classes);
        head = head(time);
    }

    /** Returns the bytes of memory that are needed, in addition to the view, until all chunks are rendered. */
    long heldBytes() {
        return head.length + (long) LongLists.REFERENCE_BYTES * trees.size();
    }

    /**
     * Renders a range of a resource class's column as a JSON list, with 0 for a tree without the class.
     *
     * @param from index of the first tree
     * @param until index after the last tree
     */
    private byte[] renderRange(int classId, ClassColumn column, int from, int until) {
        double[] ratios = new double[column == ClassColumn.ALLOCATION_RATIO ? until - from : 0];
        long[] amounts = new long[column == ClassColumn.ALLOCATION_RATIO ? 0 : until - from];
        for (int i = from; i < until; i++) {
            for (Provider provider : trees.get(i).nodes()) {
                Inventories inventories = provider.inventories();
                int at = inventories.find(classId);
                if (at < 0) {
                    continue;
                }
                switch (column) {
                    case CAPACITY -> amounts[i - from] += (long) Inventory.truncate(inventories.capacity(at));
                    case USED -> amounts[i - from] += inventories.used()[at];
                    case ALLOCATION_RATIO -> ratios[i - from] = ratios[i - from] == 0
                            ? inventories.allocationRatio()[at]
                            : ratios[i - from];
                }
            }
        }
        return column == ClassColumn.ALLOCATION_RATIO
                ? Json.write(json -> json.writeArray(ratios, 0, ratios.length))
                : Json.write(json -> json.writeArray(amounts, 0, amounts.length));
    }

    /**
     * Returns a supplier of the chunks of one JSON object, which are rendered while they are iterated: first the
     * columns that do not depend on a resource class, then ranges of the columns of each class, and last the closing
     * brackets.
     */
    Supplier<Iterator<byte[]>> chunks() {
        byte[] end = "}}".getBytes(StandardCharsets.UTF_8);
        int chunksPerClass = ClassColumn.values().length * chunksPerColumn();
        return () -> IntStream.rangeClosed(-1, chunksPerClass * classIds.size())
                .mapToObj(part -> part < 0
                        ? head

                        : part == chunksPerClass * classIds.size()
                                ? end
                                : renderChunk(part / chunksPerClass, part % chunksPerClass))
                .iterator();
    }

    /** Returns the number of chunks of one column of a resource class. */
    private int chunksPerColumn() {
        return Math.ceilDiv(trees.size(), CHUNK_NUMBERS);
    }

    private byte[] head(Instant time) {
        byte[] object = Json.writeObject(json -> {
            json.writeStringField("replica", view.lineage());
            json.writeNumberField("position", view.version());
            json.writeStringField("time", Timestamps.text(time));
            JsonLists.writeTexts(json, "uuid", trees.stream().map(tree -> tree.root().uuid()).toList());
            JsonLists.writeTexts(json, "name", trees.stream().map(tree -> tree.root().name()).toList());
            json.writeFieldName("providers");
            json.writeArray(trees.stream().mapToInt(ProviderTree::size).toArray(), 0, trees.size());
            writeSets(json, "traits", "trait_sets", trees.stream().map(this::traits).toList());
            writeSets(json, "aggregates", "aggregate_sets", trees.stream().map(FleetColumns::aggregates).toList());
            json.writeObjectFieldStart("resource_classes");
            json.writeEndObject();
        });
        // Without the closing brackets of resource_classes and of the whole object.
        return Arrays.copyOf(object, object.length - 2);
    }

    /**
     * Renders a chunk of a resource class.
     *
     * @param index index in {@link #classIds}
     * @param part index of the chunk among those of the class
     */
    private byte[] renderChunk(int index, int part) {
        int classId = classIds.get(index);
        ClassColumn classColumn = ClassColumn.values()[part / chunksPerColumn()];
        int chunk = part % chunksPerColumn();
        int from = chunk * CHUNK_NUMBERS;
        byte[] list = renderRange(classId, classColumn, from, Math.min(trees.size(), from + CHUNK_NUMBERS));
        var bytes = new ByteArrayOutputStream(list.length + 64);
        if (part == 0) {
            bytes.writeBytes((index == 0 ? "" : ",").getBytes(StandardCharsets.UTF_8));
            bytes.writeBytes(Json.quoted(view.resourceClasses().name(classId)));
        }
        if (chunk == 0) {
            String name = classColumn.name().toLowerCase(Locale.ROOT);
            bytes.writeBytes(((part == 0 ? ":{" : ",") + '"' + name + "\":[").getBytes(StandardCharsets.UTF_8));
        } else {
            bytes.write(',');
        }
        // Writes the elements without the brackets of the list.
        bytes.write(list, 1, list.length - 2);
        if (chunk == chunksPerColumn() - 1) {
            bytes.write(']');
        }
        if (part == ClassColumn.values().length * chunksPerColumn() - 1) {
            bytes.write('}');
        }
        return bytes.toByteArray();
    }

    /**
     * Writes a column of indexes, and the list of distinct sets to which they refer.
     *
     * @param sets the set of each tree
     */
    private static void writeSets(JsonGenerator json, String column, String name, List<List<String>> sets)
            throws IOException {
        Map<List<String>, Integer> positions = new LinkedHashMap<>();
        JsonLists.writeArray(json, column, sets,
                set -> json.writeNumber(positions.computeIfAbsent(set, _ -> positions.size())));
        JsonLists.writeArray(json, name, positions.keySet(),
                set -> json.writeArray(set.toArray(String[]::new), 0, set.size()));
    }

    /** Returns the names of the traits of all providers of the tree, each once, sorted. */
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
