package io.berth.scheduler.scenariochange;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.body.OptionsBody;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.config.service.ConfiguredOptions;
import io.berth.scheduler.extension.DiscoveredClasses;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.json.StrictObject;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/**
 * Reads the member {@code changes} of a body: the changes of a scenario. A body that exceeds a limit of this class gets
 * the response 413.
 */
@Singleton
public class ChangesBody {
    /** The maximum number of changes in a body. */
    private static final int CHANGES_MAX = 10_000;
    /** The maximum number of traits to add, and of traits to remove, in one change. */
    private static final int TRAITS_MAX = 1_000;
    /** The maximum number of hosts that all changes together add. */
    private static final int ADDED_HOSTS_MAX = 10_000;
    /** The maximum number of instances that one change removes. */
    private static final int INSTANCES_MAX = 10_000;
    /** The member names of changes; an object in {@code changes} has exactly one of them. */
    private static final String[] KINDS = {
        "inventory", "disable", "enable", "remove", "add", "traits", "aggregate", "option", "instances"
    };
    private static final Set<String> INVENTORY_SETTINGS =
            Set.of("total", "reserved", "min_unit", "max_unit", "step_size", "allocation_ratio");

    private final ConfiguredOptions configured;
    private final DiscoveredClasses discovered;

    ChangesBody(ConfiguredOptions configured, DiscoveredClasses discovered) {
        this.configured = configured;
        this.discovered = discovered;
    }

    /**
     * Reads and validates the changes, without applying them. Throws ApiFault: 400 with the path of the invalid member,
     * 413 beyond a limit.
     */
    public ScenarioChanges read(StrictObject body) {
        JsonNode array = body.anyValue("changes");
        if (array != null && array.isArray() && array.size() > CHANGES_MAX) {
            throw tooMany("$.changes", CHANGES_MAX);
        }
        var options = new MergedOptions();
        List<ScenarioChange> changes = new ArrayList<>();
        body.list("changes", (value, path) -> {
            Map.Entry<String, JsonNode> member = only(new StrictObject(value, path), path, KINDS);
            String changePath = path + "." + member.getKey();
            if (member.getKey().equals("option")) {
                options.add(StrictObject.OBJECT.read(member.getValue(), changePath), changePath);
            } else {
                changes.add(read(member.getKey(), member.getValue(), changePath));
            }
            return value;
        });
        int added = changes.stream()
                .mapToInt(change -> change instanceof HostsAddition addition ? addition.count() : 0)
                .sum();
        if (added > ADDED_HOSTS_MAX) {
            throw new ApiFault(ErrorCode.BODY_TOO_LARGE,
                    "$.changes: more than " + ADDED_HOSTS_MAX + " hosts are added: " + added);
        }
        return new ScenarioChanges(changes, options.policy());
    }

    private static ApiFault tooMany(String path, int max) {
        return new ApiFault(ErrorCode.BODY_TOO_LARGE, path + ": has more than " + max + " elements");
    }

    /**
     * Returns the only member of an object. Throws ApiFault (400) if there is none, several, or one that is not
     * {@code known}.
     */
    static Map.Entry<String, JsonNode> only(StrictObject body, String path, String... known) {
        Map.Entry<String, JsonNode> only = null;
        int count = 0;
        for (String name : known) {
            JsonNode value = body.anyValue(name);
            if (value != null) {
                only = Map.entry(name, value);
                count++;
            }
        }
        body.refuseUnreadMembers();
        if (only == null || count != 1) {
            throw ApiFault.invalid(path + ": must have exactly one of " + String.join(", ", known));
        }
        return only;
    }

    private static ScenarioChange read(String kind, JsonNode value, String path) {
        return switch (kind) {
            case "disable", "enable" -> new ServiceDisabling(Selector.read(value, path), kind.equals("disable"), path);
            case "remove" -> new HostsRemoval(Selector.read(value, path), path);
            case "inventory" -> object(value, path, body -> inventory(body, path));
            case "traits" -> object(value, path, body -> traits(body, path));
            case "aggregate" -> object(value, path, body -> aggregate(body, path));
            case "add" -> object(value, path, body -> addition(body, path));
            default -> object(value, path, body -> instances(body, path));
        };
    }

    private static ScenarioChange object(JsonNode value, String path, Function<StrictObject, ScenarioChange> reader) {
        return StrictObject.objectOf(reader).read(value, path);
    }

    private static Selector hosts(StrictObject body) {
        Selector hosts = body.find("hosts", Selector::read);
        if (hosts == null) {
            throw body.invalid("hosts", "is required");
        }
        return hosts;
    }

    /** Reads a change of an inventory. Does not check the values, because placement validates them. */
    private static ScenarioChange inventory(StrictObject body, String path) {
        ObjectNode settings = JsonNodeFactory.instance.objectNode();
        settings.put("resource_class", body.requiredText("resource_class"));
        for (String name : INVENTORY_SETTINGS) {
            JsonNode value = body.anyValue(name);
            if (value != null) {
                settings.set(name, value);
            }
        }
        return new PlacementDataChange("inventory", hosts(body), settings, path);
    }

    private static ScenarioChange traits(StrictObject body, String path) {
        ObjectNode traits = JsonNodeFactory.instance.objectNode();
        for (String member : List.of("add", "remove")) {
            List<String> names = body.texts(member);
            if (names.size() > TRAITS_MAX) {
                throw tooMany(path + "." + member, TRAITS_MAX);
            }
            if (!names.isEmpty()) {
                names.forEach(traits.putArray(member)::add);
            }
        }
        if (traits.isEmpty()) {
            throw ApiFault.invalid(path + ": must have add or remove");
        }
        return new PlacementDataChange("traits", hosts(body), traits, path);
    }

    private static ScenarioChange aggregate(StrictObject body, String path) {
        UUID uuid = body.requiredUuid("uuid");
        JsonNode hosts = body.anyValue("hosts");
        @Nullable Map<String, String> metadata =
                body.anyValue("metadata") == null ? null : body.map("metadata", StrictObject.TEXT);
        if (hosts == null && metadata == null) {
            throw ApiFault.invalid(path + ": must have hosts or metadata");
        }
        // An empty list of hosts means that the aggregate loses all hosts. A Selector cannot express this.
        boolean isEmptied = hosts != null && hosts.isArray() && hosts.isEmpty();
        JsonNode selector = hosts != null && hosts.isArray()
                ? JsonNodeFactory.instance.objectNode().set("hosts", hosts)
                : hosts;
        return new AggregateChange(
                uuid,
                selector == null || isEmptied ? null : Selector.read(selector, path + ".hosts"),
                isEmptied,
                metadata,
                path);
    }

    private static ScenarioChange addition(StrictObject body, String path) {
        Long count = body.longOrNull("count");
        if (count != null && count > ADDED_HOSTS_MAX) {
            throw new ApiFault(ErrorCode.BODY_TOO_LARGE, path + ".count: must be at most " + ADDED_HOSTS_MAX);
        }
        if (count != null && count < 1) {
            throw body.invalid("count", "must be at least 1");
        }
        return new HostsAddition(
                body.requiredText("like"), count == null ? 1 : count.intValue(), body.text("zone"), path);
    }

    private static ScenarioChange instances(StrictObject body, String path) {
        JsonNode array = body.anyValue("remove");
        if (array != null && array.isArray() && array.size() > INSTANCES_MAX) {
            throw tooMany(path + ".remove", INSTANCES_MAX);
        }
        Set<UUID> uuids = new LinkedHashSet<>();
        body.uuidTexts("remove").forEach(uuid -> uuids.add(UUID.fromString(uuid)));
        if (uuids.isEmpty()) {
            throw body.invalid("remove", "is required and must not be empty");
        }
        return new InstancesRemoval(List.copyOf(uuids), path + ".remove");
    }

    /** Merges the options of all changes. Refuses two changes that give one option different values. */
    private final class MergedOptions {
        private final ObjectNode all = JsonNodeFactory.instance.objectNode();
        /** By the name of an option: the path of the change that sets it. */
        private final Map<String, String> pathByOption = new HashMap<>();
        /** The path for errors of the merged options: that of the last change with options; empty if there is none. */
        private String lastPath = "";

        /** Adds the options of one change. Throws ApiFault (400) for an invalid option, or for a contradiction. */
        void add(JsonNode options, String path) {
            OptionsBody.parse(options, path, configured::with);
            lastPath = path;
            merge(all, options, "", path);
        }

        /**
         * Merges options into an object. Throws ApiFault (400) if the object has another value for one of them.
         *
         * @param group name of the options' group and a dot; empty for options without a group
         */
        private void merge(ObjectNode into, JsonNode options, String group, String path) {
            for (Map.Entry<String, JsonNode> option : options.properties()) {
                String name = group + option.getKey();
                JsonNode before = into.get(option.getKey());
                if (group.isEmpty() && option.getValue().isObject() && (before == null || before.isObject())) {
                    merge(into.withObjectProperty(option.getKey()), option.getValue(), name + ".", path);
                } else if (before != null && !before.equals(option.getValue())) {
                    throw ApiFault.invalid("%s.%s: contradicts %s".formatted(path, name, pathByOption.get(name)));
                } else {
                    into.set(option.getKey(), option.getValue());
                    pathByOption.put(name, path);
                }
            }
        }

        /** Returns the merged options; null if no change has options. */
        @Nullable ScenarioChanges.Policy policy() {
            if (lastPath.isEmpty()) {
                return null;
            }
            Options options = OptionsBody.parse(all, lastPath, configured::with);
            return new ScenarioChanges.Policy(options, discovered.enabledFilters(options, lastPath),
                    discovered.enabledWeighers(options, lastPath));
        }
    }
}
