package io.berth.deploy.faults;

import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A server group that keeps its members together or apart.
 *
 * @param most maximum of members per host; 0 for a group that keeps them together
 */
record Group(UUID uuid, int most) {
    static List<Group> some() {
        return Stream.of(1, 2, 0).map(most -> new Group(UUID.randomUUID(), most)).toList();
    }

    /** @param members null for a new one */
    Command.Request put(Set<UUID> members) {
        String policy = most == 0
                ? "\"policy\": \"affinity\""
                : "\"policy\": \"anti-affinity\", \"rules\": {\"max_server_per_host\": " + most + "}";
        String list = members == null ? "" : ", \"members\": ["
                + members.stream().map(each -> "\"" + each + "\"").collect(Collectors.joining(", ")) + "]";
        String body = "{\"name\": \"group-%s\", %s%s}".formatted(uuid, policy, list);
        return new Command.Request(true, "PUT", "/v1/server_groups/" + uuid, body);
    }
}
