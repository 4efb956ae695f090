package io.berth.scheduler.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.api.SelectBody;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.job.CloudCopy;
import io.berth.scheduler.job.Loads;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.record.RecordedSelection;
import io.berth.scheduler.selection.SelectionRequest;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Places recorded requests again, in the order of their decisions, after freeing the allocations of all their
 * instances. Of several requests for the same instance, only the last is placed.
 */
final class ReplayPart implements Part {
    private final List<Request> requests = new ArrayList<>();
    private final int recorded;
    private final long leftOut;
    private final boolean hasMore;

    private record Request(UUID decision, SelectionRequest selection) {}

    /**
     * @param all the recorded requests, the oldest first
     * @param limit maximum records to replay; a further element of {@code all} only shows that there are more
     */
    ReplayPart(List<RecordedSelection> all, int limit) {
        hasMore = all.size() > limit;
        List<RecordedSelection> selections = hasMore ? all.subList(0, limit) : all;
        recorded = selections.size();
        long left = selections.stream().filter(RecordedSelection::isOmitted).count();
        Set<String> seen = new HashSet<>();
        for (RecordedSelection selection : selections.reversed()) {
            SelectionRequest read = read(selection.body());
            if (read == null || !Collections.disjoint(seen, read.spec().instanceUuids())) {
                continue;
            }
            if (seen.size() + read.spec().instanceCount() > WhatIfBody.INSTANCES_MAX) {
                left++;
            } else {
                seen.addAll(read.spec().instanceUuids());
                requests.addFirst(new Request(selection.id(), read));
            }
        }
        leftOut = left;
    }

    /** Returns null for a request that was too large to keep, cannot be read any more, or places nothing. */
    private static @Nullable SelectionRequest read(@Nullable byte[] body) {
        try {
            SelectionRequest read = body == null ? null : SelectBody.read(JsonBody.parse(body)).request();
            return read == null || read.spec().schedulerHints().asksForRebuildCheck() ? null : read;
        } catch (ApiFault notUnderstood) {
            return null;
        }
    }

    @Override
    public String name() {
        return "replay";
    }

    @Override
    public JsonNode ask(Snapshot cloud, Gaps gaps) {
        if (leftOut > 0) {
            gaps.add("records: %d of %d requests are too large together and are left out".formatted(leftOut, recorded));
        }
        if (hasMore) {
            gaps.add("records: the first %d are replayed, and there are more".formatted(recorded));
        }
        CloudCopy copy = new CloudCopy(cloud);
        copy.vacate(requests.stream()
                .flatMap(request -> request.selection().spec().instanceUuids().stream())
                .map(UUID::fromString)
                .toList());
        CopyPlacement copying = new CopyPlacement(copy, gaps);
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode placements = JsonNodeFactory.instance.arrayNode();
        Set<String> hosts = new HashSet<>();
        int placed = 0;
        for (Request request : requests) {
            CopyPlacement.Outcome outcome = copying.place(request.selection().spec(), request.selection().toDerive());
            if (outcome == null) {
                gaps.add("time: %d of %d requests were replayed".formatted(placements.size(), requests.size()));
                break;
            }
            placed += outcome.hosts().size();
            hosts.addAll(outcome.hosts());
            ObjectNode each = placements.addObject().put("decision_id", request.decision().toString());
            request.selection().spec().instanceUuids().forEach(each.putArray("instance_uuids")::add);
            each.setAll(outcome.json());
        }
        json.put("recorded", recorded)
                .put("requests", placements.size())
                .put("instances_placed", placed)
                .put("hosts_used", hosts.size());
        Loads loads = Loads.of(copy.now());
        loads.gaps().forEach(gaps::add);
        json.set("spread", loads.spread());
        json.set("packing", loads.packing());
        json.set("placements", placements);
        return json;
    }

    @Override
    public JsonNode difference(JsonNode before, JsonNode after, Snapshot changed) {
        ObjectNode difference = JsonNodeFactory.instance.objectNode();
        ArrayNode moved = JsonNodeFactory.instance.arrayNode();
        JsonNode were = before.path("placements");
        JsonNode are = after.path("placements");
        int both = Math.min(were.size(), are.size());
        for (int i = 0; i < both; i++) {
            if (!CopyPlacement.isSame(were.get(i), are.get(i))) {
                moved.addObject()
                        .<ObjectNode>set("decision_id", are.get(i).path("decision_id"))
                        .<ObjectNode>set("instance_uuids", are.get(i).path("instance_uuids"))
                        .<ObjectNode>set("before", were.get(i).path("hosts"))
                        .set("after", are.get(i).path("hosts"));
            }
        }
        difference.put("elsewhere", moved.size());
        difference.put("instances_placed", CopyPlacement.placed(are, both) - CopyPlacement.placed(were, both));
        difference.put("hosts_used", hosts(are, both) - hosts(were, both));
        difference.set("requests", moved);
        return difference;
    }

    /** Returns the number of different hosts of the first {@code requests} requests. */
    private static long hosts(JsonNode json, int requests) {
        return json.valueStream().limit(requests)
                .flatMap(each -> each.path("hosts").valueStream())
                .map(host -> host.path("host"))
                .distinct()
                .count();
    }
}
