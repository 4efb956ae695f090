package io.berth.scheduler.fleet;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.berth.json.JsonLists;
import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.host.registry.Cell;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.text.Uuids;
import jakarta.annotation.Nullable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Renders the response to {@code GET /v1/fleet}: placement's columns of all provider trees, and columns from the
 * registry for the host of each tree: name, zone, aggregates, cell, state of the service, and number of registered
 * instances. A column is a list with an element per tree. Placement's JSON is copied without changes, and only its
 * version, its time, and the uuids and names of the trees are parsed. The time is linear in the number of trees.
 */
final class FleetColumns {
    private static final JsonFactory JSON =
            JsonFactory.builder().disable(JsonFactory.Feature.INTERN_FIELD_NAMES).build();

    private final RegistrySnapshot registry;
    private final Duration serviceDownTime;

    FleetColumns(RegistrySnapshot registry, Duration serviceDownTime) {
        this.registry = registry;
        this.serviceDownTime = serviceDownTime;
    }

    /**
     * Returns placement's columns and the registry's columns in one JSON object.
     *
     * @param placement placement's response: a JSON object with lists {@code uuid} and {@code name} of equal length
     * @throws IOException if placement's response has another form
     */
    byte[] merge(byte[] placement) throws IOException {
        List<String> uuids = new ArrayList<>();
        List<String> names = new ArrayList<>();
        AsOf asOf = read(placement, uuids, names);
        int end = lastBrace(placement);
        if (uuids.size() != names.size() || end < 0) {
            throw new IOException("the columns of the fleet do not match");
        }
        byte[] registered = columns(asOf, uuids, names);
        // Concatenates both objects: the first without its closing brace, the second without its opening brace.
        ByteArrayOutputStream merged = new ByteArrayOutputStream(end + registered.length);
        merged.write(placement, 0, end);
        merged.write(',');
        merged.write(registered, 1, registered.length - 1);
        return merged.toByteArray();
    }

    /** Returns the index of the last closing brace; -1 if there is none. */
    private static int lastBrace(byte[] json) {
        int index = json.length - 1;
        while (index >= 0 && json[index] != '}') {
            index--;
        }
        return index;
    }

    /**
     * The version of placement's data, from its response.
     *
     * @param replica the replica of placement that responded
     * @param position version of the fleet in that replica's memory
     * @param time time of the response, as placement writes it
     */
    private record AsOf(String replica, long position, String time) {}

    /**
     * Parses placement's response.
     *
     * @param uuids receives the uuids of the trees
     * @param names receives the names of the trees
     */
    private static AsOf read(byte[] placement, List<String> uuids, List<String> names) throws IOException {
        String replica = "";
        long position = 0;
        String time = "";
        try (JsonParser parser = JSON.createParser(placement)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("the columns of the fleet must be an object");
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                switch (name) {
                    case "replica" -> replica = parser.getText();
                    case "position" -> position = parser.getValueAsLong();
                    case "time" -> time = parser.getText();
                    case "uuid" -> readTexts(parser, value, uuids);
                    case "name" -> readTexts(parser, value, names);
                    default -> parser.skipChildren();
                }
            }
        }
        return new AsOf(replica, position, time);
    }

    private static void readTexts(JsonParser parser, JsonToken token, List<String> texts) throws IOException {
        if (token != JsonToken.START_ARRAY) {
            throw new IOException("a column of the fleet must be a list");
        }
        while (parser.nextToken() == JsonToken.VALUE_STRING) {
            texts.add(parser.getText());
        }
    }

    /** Renders the registry's columns as a JSON object. */
    private byte[] columns(AsOf asOf, List<String> uuids, List<String> names) {
        int count = uuids.size();
        DistinctValues<String> states = new DistinctValues<>(count);
        DistinctValues<String> zones = new DistinctValues<>(count);
        DistinctValues<String> cells = new DistinctValues<>(count);
        DistinctValues<List<String>> aggregates = new DistinctValues<>(count);
        List<String> hosts = new ArrayList<>(count);
        int[] instances = new int[count];
        for (int i = 0; i < count; i++) {
            UUID uuid = Uuids.find(uuids.get(i));
            ComputeNode node = uuid == null ? null : registry.findComputeNode(uuid);
            String host = node == null ? names.get(i) : node.host();
            List<HostAggregate> hostAggregates = registry.aggregatesOf(host);
            hosts.add(host);
            states.add(ServiceState.of(registry.findService(host), registry, serviceDownTime).wireName());
            zones.add(Zones.of(hostAggregates));
            cells.add(cell(node));
            aggregates.add(hostAggregates.stream().map(HostAggregate::name).sorted().toList());
            instances[i] = registry.instancesOn(host, node == null ? host : node.nodename()).size();
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(64 * count + 256);
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeObjectFieldStart("as_of");
            json.writeNumberField("fleet_version", asOf.position());
            json.writeStringField("replica", asOf.replica());
            json.writeNumberField("registry_version", registry.number());
            json.writeStringField("time", asOf.time());
            json.writeEndObject();
            JsonLists.writeTexts(json, "host", hosts);
            states.write(json, "state", "states");
            zones.write(json, "zone", "zones");
            cells.write(json, "cell", "cells");
            aggregates.write(json, "host_aggregates", "host_aggregate_sets");
            json.writeFieldName("instances");
            json.writeArray(instances, 0, instances.length);
            json.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    /** Returns the name of the node's cell; the uuid if the cell is not registered; null if the node has no cell. */
    private @Nullable String cell(@Nullable ComputeNode node) {
        String uuid = node == null ? null : node.cellUuid();
        UUID parsed = uuid == null ? null : Uuids.find(uuid);
        Cell cell = parsed == null ? null : registry.findCell(parsed);
        return cell == null ? uuid : cell.name();
    }

    /**
     * A column with few distinct values. It is rendered as two lists: the distinct values, and for each tree the index
     * of its value.
     */
    private static final class DistinctValues<V> {
        /** The index of each distinct value. */
        private final Map<V, Integer> indexes = new LinkedHashMap<>();
        /** For each tree the index of its value. */
        private final int[] column;
        private int size;

        DistinctValues(int count) {
            column = new int[count];
        }

        void add(@Nullable V value) {
            Integer index = indexes.get(value);
            if (index == null) {
                index = indexes.size();
                indexes.put(value, index);
            }
            column[size++] = index;
        }

        /**
         * Writes both lists.
         *
         * @param name member for the indexes
         * @param values member for the distinct values
         */
        void write(JsonGenerator json, String name, String values) throws IOException {
            json.writeFieldName(name);
            json.writeArray(column, 0, column.length);
            JsonLists.writeArray(json, values, indexes.keySet(), value -> write(json, value));
        }

        private static void write(JsonGenerator json, @Nullable Object value) throws IOException {
            if (value instanceof List<?> list) {
                JsonLists.writeArray(json, list, each -> write(json, each));
            } else {
                json.writeString((String) value);
            }
        }
    }
}
