package io.berth.scheduler.host.registry.edit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.host.registry.Cell;
import io.berth.scheduler.host.registry.Collection;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.ComputeService;
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
 * A record that a request wants to write.
 *
 * @param version the version to replace; null: any
 * @param record the parsed record
 * @param body the record as it is stored
 */
record WantedRecord(UUID uuid, @Nullable Long version, RegistryRecord record, String body) {
    /** Returns the unique key within its collection, besides the uuid; empty for none. */
    Map<String, String> key() {
        return switch (record) {
            case ComputeNode node -> Map.of("host", node.host(), "nodename", node.nodename());
            case ComputeService service -> Map.of("host", service.host());
            case RegisteredAggregate aggregate -> Map.of("name", aggregate.name());
            case Cell cell -> Map.of("name", cell.name());
            default -> Map.of();
        };
    }

    /** Maximum records in one request. */
    static final int RECORDS_MAX = 1_000;

    /**
     * Reads {@code {"cells": [{"uuid": ...}]}}. Throws {@link io.berth.scheduler.http.ApiFault} (400) with the path
     * of the error.
     */
    static List<WantedRecord> read(Collection collection, byte[] body) {
        StrictObject given = new StrictObject(JsonBody.ofLargeRequest(body), "$");
        String name = collection.route();
        List<StrictObject> records = given.list(name, StrictObject::new);
        given.nothingElse();
        if (records.isEmpty() || records.size() > RECORDS_MAX) {
            throw given.invalid(name, "must have between 1 and " + RECORDS_MAX + " records");
        }
        Set<UUID> named = new HashSet<>();
        return records.stream().map(record -> {
            WantedRecord wanted = read(collection, record);
            if (!named.add(wanted.uuid)) {
                throw record.invalid("uuid", "occurs twice");
            }
            return wanted;
        }).toList();
    }

    private static WantedRecord read(Collection collection, StrictObject record) {
        return read(collection, record.requiredUuid("uuid"), record);
    }

    /** Throws ApiFault: 400 with the path of the error, 413 for a record that is too long. */
    static WantedRecord read(Collection collection, UUID uuid, StrictObject record) {
        Long version = record.longOrNull("version");
        RegistryRecord read = collection.read(uuid, record);
        ObjectNode body = record.node().deepCopy();
        body.remove(List.of("uuid", "version"));
        String text = body.toString();
        collection.refuseTooLong(text, record.path());
        return new WantedRecord(uuid, version, read, text);
    }
}
