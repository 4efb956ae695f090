package io.berth.scheduler.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.planning.DrainPlan;
import io.berth.scheduler.planning.DrainPlanner;
import io.berth.scheduler.scenariochange.SelectedHost;
import io.berth.scheduler.scenariochange.Selector;
import jakarta.annotation.Nullable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The part {@code drain}: plans the emptying of hosts, and compares the destinations of the instances that both plans
 * have.
 */
final class DrainPart implements Part {
    private final Selector selector;
    private final DrainPlanner drains;
    /**
     * The selected hosts; null before the first {@link #evaluate}. {@link WhatIf} first asks for the changed cloud, so
     * that the hosts which are selected there are drained in both clouds.
     */
    private @Nullable List<String> hosts;

    DrainPart(Selector selector, DrainPlanner drains) {
        this.selector = selector;
        this.drains = drains;
    }

    @Override
    public String name() {
        return "drain";
    }

    @Override
    public JsonNode evaluate(Snapshot cloud, Gaps gaps) {
        if (hosts == null) {
            hosts = selector.find(cloud).stream().map(SelectedHost::host).toList();
        }
        DrainPlan drain = drains.plan(cloud, hosts, Map.of());
        drain.gaps().forEach(gaps::add);
        return WhatIf.tree(json -> {
            json.writeStartObject();
            drain.render(json);
            json.writeEndObject();
        });
    }

    @Override
    public JsonNode difference(JsonNode before, JsonNode after, Snapshot changed) {
        ObjectNode difference = JsonNodeFactory.instance.objectNode();
        Map<String, JsonNode> beforeByUuid = new HashMap<>();
        before.path("instances").forEach(each -> beforeByUuid.put(each.path("instance").asText(), each));
        ArrayNode instances = JsonNodeFactory.instance.arrayNode();
        int placed = 0;
        for (JsonNode each : after.path("instances")) {
            JsonNode instanceBefore = beforeByUuid.get(each.path("instance").asText());
            if (instanceBefore != null) {
                placed += (each.path("host").isNull() ? 0 : 1) - (instanceBefore.path("host").isNull() ? 0 : 1);
            }
            if (instanceBefore != null && !instanceBefore.path("host").equals(each.path("host"))) {
                instances.addObject()
                        .<ObjectNode>set("instance", each.path("instance"))
                        .<ObjectNode>set("before", instanceBefore.path("host"))
                        .set("after", each.path("host"));
            }
        }
        difference.put("placed", placed);
        difference.put("not_placed", -placed);
        difference.put("elsewhere", instances.size());
        difference.set("instances", instances);
        return difference;
    }
}
