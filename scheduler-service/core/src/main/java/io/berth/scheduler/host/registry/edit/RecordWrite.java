package io.berth.scheduler.host.registry.edit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.host.registry.Cell;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.ComputeService;
import io.berth.scheduler.host.registry.RecordCollection;
import io.berth.scheduler.host.registry.RegisteredAggregate;
import io.berth.scheduler.host.registry.RegistryRecord;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.json.StrictObject;
import jakarta.annotation.Nullable;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * A record to write, from a request body.
 *
 * @param version the version that may be replaced; null: any version
 * @param record the parsed record
 * @param body the JSON to store, without {@code uuid} and {@code version}
 */
record RecordWrite(UUID uuid, @Nullable Long version, RegistryRecord record, String body) {
    /** Maximum records in one request; a request with more gets 400. */
    static final int RECORDS_MAX = 1_000;

    /** Returns the members that are unique in the collection, with their values; empty if only the uuid is unique. */
    Map<String, String> key() {
        return switch (record) {
            case ComputeNode node -> Map.of("host", node.host(), "nodename", node.nodename());
            case ComputeService service -> Map.of("host", service.host());
            case RegisteredAggregate aggregate -> Map.of("name", aggregate.name());
            case Cell cell -> Map.of("name", cell.name());
            default -> Map.of();
        };
    }

    /**
     * Reads a body with many records, such as {@code {"cells": [{"uuid": ...}]}}. Throws
     * {@link io.berth.scheduler.http.ApiFault}: 400 with the path of the error, 413 for a record that is too long.
     */
    static List<RecordWrite> read(RecordCollection collection, byte[] body) {
        StrictObject object = new StrictObject(JsonBody.ofLargeRequest(body), "$");
        String name = collection.route();
        List<StrictObject> records = object.list(name, StrictObject::new);
        object.refuseUnreadMembers();
        if (records.isEmpty() || records.size() > RECORDS_MAX) {
            throw object.invalid(name, "must have between 1 and " + RECORDS_MAX + " records");
        }
        Set<UUID> uuids = new HashSet<>();
        return records.stream().map(record -> {
            RecordWrite write = read(collection, record);
            if (!uuids.add(write.uuid)) {
                throw record.invalid("uuid", "occurs twice");
            }
            return write;
        }).toList();
    }

    private static RecordWrite read(RecordCollection collection, StrictObject record) {
        return read(collection, record.requiredUuid("uuid"), record);
    }

    /** Reads one record. Throws ApiFault: 400 with the path of the error, 413 for a record that is too long. */
    static RecordWrite read(RecordCollection collection, UUID uuid, StrictObject record) {
        Long version = record.longOrNull("version");
        RegistryRecord parsed = collection.read(uuid, record);
        ObjectNode body = record.node().deepCopy();
        body.remove(List.of("uuid", "version"));
        String text = body.toString();
        collection.refuseTooLong(text, record.path());
        return new RecordWrite(uuid, version, parsed, text);
    }
}
