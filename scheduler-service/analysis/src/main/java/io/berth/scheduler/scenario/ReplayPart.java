package io.berth.scheduler.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.api.SelectBody;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.job.CloudCopy;
import io.berth.scheduler.job.HostLoads;
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
 * The part {@code replay}: frees the allocations of the instances of recorded requests, and places the requests again
 * in the order of their arrival. Skips a request that has an instance in common with a later one that is replayed, a
 * rebuild check, which places no instance, and a request whose body was not recorded or cannot be read any more.
 */
final class ReplayPart implements Part {
    private final List<Request> requests = new ArrayList<>();
    /** The number of recorded requests to replay, including those that are skipped or left out. */
    private final int recordedCount;
    /**
     * The number of recorded requests that are left out because the requests are too large together: in bytes
     * ({@link RecordedSelection#isOmitted}), or in instances ({@link WhatIfBody#INSTANCES_MAX}).
     */
    private final long leftOutCount;
    /** True if there are more recorded requests than are replayed. */
    private final boolean hasMore;

    /** @param decision id of the decision that recorded the request */
    private record Request(UUID decision, SelectionRequest selection) {}

    /**
     * @param all the recorded requests, the oldest first
     * @param limit maximum number of records to replay; if {@code all} has more elements, the response says that there
     * are more
     */
    ReplayPart(List<RecordedSelection> all, int limit) {
        hasMore = all.size() > limit;
        List<RecordedSelection> selections = hasMore ? all.subList(0, limit) : all;
        recordedCount = selections.size();
        long leftOut = selections.stream().filter(RecordedSelection::isOmitted).count();
        Set<String> instances = new HashSet<>();
        for (RecordedSelection selection : selections.reversed()) {
            SelectionRequest read = read(selection.body());
            if (read == null || !Collections.disjoint(instances, read.spec().instanceUuids())) {
                continue;
            }
            if (instances.size() + read.spec().instanceCount() > WhatIfBody.INSTANCES_MAX) {
                leftOut++;
            } else {
                instances.addAll(read.spec().instanceUuids());
                requests.addFirst(new Request(selection.id(), read));
            }
        }
        leftOutCount = leftOut;
    }

    /**
     * Reads a recorded request. Returns null if the body was not kept or cannot be read any more, or if the request is
     * a rebuild check, which places no instance.
     */
    private static @Nullable SelectionRequest read(@Nullable byte[] body) {
        try {
            SelectionRequest read = body == null ? null : SelectBody.read(JsonBody.parse(body)).request();
            return read == null || read.spec().schedulerHints().asksForRebuildCheck() ? null : read;
        } catch (ApiFault unreadable) {
            return null;
        }
    }

    @Override
    public String name() {
        return "replay";
    }

    @Override
    public JsonNode evaluate(Snapshot cloud, Gaps gaps) {
        if (leftOutCount > 0) {
            gaps.add("records: %d of %d requests are too large together and are left out"
                    .formatted(leftOutCount, recordedCount));
        }
        if (hasMore) {
            gaps.add("records: the first %d are replayed, and there are more".formatted(recordedCount));
        }
        CloudCopy copy = new CloudCopy(cloud);
        copy.removeInstances(requests.stream()
                .flatMap(request -> request.selection().spec().instanceUuids().stream())
                .map(UUID::fromString)
                .toList());
        CopyPlacement placement = new CopyPlacement(copy, gaps);
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode placements = JsonNodeFactory.instance.arrayNode();
        Set<String> hosts = new HashSet<>();
        int placed = 0;
        for (Request request : requests) {
            CopyPlacement.Outcome outcome = placement.place(request.selection().spec(), request.selection().toDerive());
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
        json.put("recorded", recordedCount)
                .put("requests", placements.size())
                .put("instances_placed", placed)
                .put("hosts_used", hosts.size());
        HostLoads loads = HostLoads.of(copy.now());
        loads.gaps().forEach(gaps::add);
        json.set("spread", loads.spread());
        json.set("packing", loads.packing());
        json.set("placements", placements);
        return json;
    }

    @Override
    public JsonNode difference(JsonNode before, JsonNode after, Snapshot changed) {
        ObjectNode difference = JsonNodeFactory.instance.objectNode();
        ArrayNode differing = JsonNodeFactory.instance.arrayNode();
        JsonNode placementsBefore = before.path("placements");
        JsonNode placementsAfter = after.path("placements");
        int comparable = Math.min(placementsBefore.size(), placementsAfter.size());
        for (int i = 0; i < comparable; i++) {
            if (!CopyPlacement.haveSameHosts(placementsBefore.get(i), placementsAfter.get(i))) {
                differing.addObject()
                        .<ObjectNode>set("decision_id", placementsAfter.get(i).path("decision_id"))
                        .<ObjectNode>set("instance_uuids", placementsAfter.get(i).path("instance_uuids"))
                        .<ObjectNode>set("before", placementsBefore.get(i).path("hosts"))
                        .set("after", placementsAfter.get(i).path("hosts"));
            }
        }
        difference.put("elsewhere", differing.size());
        difference.put(
                "instances_placed",
                CopyPlacement.placed(placementsAfter, comparable) - CopyPlacement.placed(placementsBefore, comparable));
        difference.put("hosts_used",
                countHosts(placementsAfter, comparable) - countHosts(placementsBefore, comparable));
        difference.set("requests", differing);
        return difference;
    }

    /** Returns how many different hosts the first {@code requests} requests use. */
    private static long countHosts(JsonNode json, int requests) {
        return json.valueStream().limit(requests)
                .flatMap(each -> each.path("hosts").valueStream())
                .map(host -> host.path("host"))
                .distinct()
                .count();
    }
}
