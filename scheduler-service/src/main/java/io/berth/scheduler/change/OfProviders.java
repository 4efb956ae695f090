package io.berth.scheduler.change;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.UUID;

/**
 * A change of inventories, or of traits: placement's alone.
 *
 * @param kind as placement calls it
 * @param settings as placement takes them
 */
record OfProviders(String kind, Selector hosts, ObjectNode settings, String path) implements Change {
    @Override
    public void make(Cloud cloud) {
        List<UUID> trees = cloud.find(hosts).stream().flatMap(host -> host.providers().stream()).toList();
        cloud.changes.from(path).fleet(kind, trees, settings);
    }
}
