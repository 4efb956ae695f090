package io.berth.deploy.faults;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.deploy.faults.InstanceState.Migration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A client's command, and its possible results. */
sealed interface Command {
    /** Returns the instances of the command. */
    List<UUID> instances();

    /** Returns the request; for a command that reads first, the request that reads. */
    Request request();

    /** Sends the command to a scheduler or its placement, and returns the response. */
    default Reply send(SimulatedCloud cloud, int scheduler) {
        return cloud.send(request(), scheduler);
    }

    /** Returns true for a write of allocations in placement that the scheduler did not begin, as nova makes them. */
    default boolean isPlain() {
        return false;
    }

    /**
     * @param isForScheduler true if it goes to the scheduler, false if to placement
     * @param body JSON, null for none
     */
    record Request(boolean isForScheduler, String method, String path, String body) {}

    /**
     * Returns the possible states of one of its instances afterwards; empty if the reply is impossible.
     *
     * @param hosts all hosts
     */
    Stream<InstanceState> after(UUID instance, InstanceState before, Reply reply, List<UUID> hosts);

    /** The reason for a move. */
    enum Kind {
        RESIZE, COLD, LIVE, EVACUATE, UNSHELVE,
        /** A move by nova with plain requests to placement, of which the scheduler has no record. */
        PLAIN;

        /** The moves of instances that are on a host. */
        static final List<Kind> LEAVING = List.of(RESIZE, COLD, LIVE, EVACUATE);

        /** Returns true if the migration gets the instance's old allocations. */
        boolean handsOver() {
            return this != EVACUATE && this != UNSHELVE;
        }

        boolean hasAlternates() {
            return this == RESIZE || this == COLD;
        }

        String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Places all of its instances or none of them.
     *
     * @param group null for none
     */
    record Select(List<UUID> instances, Flavor flavor, Group group) implements Command {
        @Override
        public Request request() {
            String names = instances.stream().map(each -> "\"" + each + "\"").collect(Collectors.joining(", "));
            String hints = group == null ? "" : ", \"scheduler_hints\": {\"group\": \"%s\"}".formatted(group.uuid());
            return new Request(true, "POST", "/v1/select_destinations", """
                    {"instance_uuids": [%s], "return_alternates": true,
                     "request_spec": {"project_id": "p", "user_id": "u", "flavor": %s%s}}"""
                    .formatted(names, flavor.json(), hints));
        }

        @Override
        public Stream<InstanceState> after(UUID instance, InstanceState before, Reply reply, List<UUID> hosts) {
            return switch (reply) {
                case Reply.Done done -> {
                    JsonNode selection = done.json().get("selections").get(instances.indexOf(instance)).get(0);
                    yield placed(before, Reply.host(selection), Reply.claimed(selection));
                }
                case Reply.Refused _, Reply.Wrong _ -> Stream.of(before);
                case Reply.Unknown _ -> before.isPlaced()
                        ? Stream.of(before)
                        : Stream.concat(Stream.of(before), hosts.stream()
                                .flatMap(host -> placed(before, host, Map.of(host, flavor.amounts()))));
            };
        }

        /**
         * Returns the state after placement. A repetition changes nothing; an instance with other allocations is not
         * placed again.
         */
        private static Stream<InstanceState> placed(
                InstanceState before, UUID host, Map<UUID, Map<String, Long>> claimed) {
            if (before.held().equals(claimed)) {
                return Stream.of(before);
            }
            return before.isPlaced() ? Stream.empty() : Stream.of(before.holding(claimed).registered(host));
        }
    }

    /**
     * Replaces a selection after a failed build.
     *
     * @param failed the selection that is released
     * @param alternates selections
     */
    record Reschedule(UUID instance, JsonNode failed, List<JsonNode> alternates) implements Command {
        @Override
        public List<UUID> instances() {
            return List.of(instance);
        }

        @Override
        public Request request() {
            return new Request(true, "POST", "/v1/reschedule", """
                    {"instance_uuid": "%s", "project_id": "p", "user_id": "u", "failed": %s, "alternates": %s}"""
                    .formatted(instance, failed, alternates));
        }

        @Override
        public Stream<InstanceState> after(UUID each, InstanceState before, Reply reply, List<UUID> hosts) {
            boolean isOurs = !before.isPlaced() || before.held().equals(Reply.claimed(failed));
            return switch (reply) {
                case Reply.Done done -> {
                    JsonNode selection = done.json().get("selection");
                    yield before.held().equals(Reply.claimed(selection))
                            ? Stream.of(before)
                            : isOurs ? on(before, selection) : Stream.empty();
                }
                // The failed host is still released.
                case Reply.Refused(String code) when code.equals("scheduler.no_valid_host") ->
                    isOurs ? Stream.of(before.holding(Map.of())) : Stream.empty();
                case Reply.Refused _, Reply.Wrong _ -> Stream.of(before);
                case Reply.Unknown _ when !isOurs -> Stream.of(before);
                case Reply.Unknown _ -> Stream.concat(
                        Stream.of(before, before.holding(Map.of())),
                        alternates.stream().flatMap(selection -> on(before, selection)));
            };
        }

        /**
         * Returns the states on the new host. An instance that was unregistered in the meantime may or may not be
         * registered again.
         */
        private static Stream<InstanceState> on(InstanceState before, JsonNode selection) {
            InstanceState there = before.holding(Reply.claimed(selection)).registered(Reply.host(selection));
            return before.registered() == null ? Stream.of(there, there.registered(null)) : Stream.of(there);
        }

        @Override
        public String toString() {
            return "Reschedule[" + instance + " from " + Reply.host(failed) + " to one of " + alternates.size() + "]";
        }
    }

    /** @param source null for a shelved instance */
    record Move(Kind kind, UUID instance, UUID migration, UUID source, Flavor flavor) implements Command {
        @Override
        public List<UUID> instances() {
            return List.of(instance);
        }

        @Override
        public Request request() {
            String from = source == null ? "" : "\"source_compute_node_uuid\": \"" + source + "\",";
            return new Request(true, "POST", "/v1/moves", """
                    {"kind": "%s", "instance_uuid": "%s", "migration_uuid": "%s", %s
                     "request_spec": {"project_id": "p", "user_id": "u", "flavor": %s}}"""
                    .formatted(kind.wireName(), instance, migration, from, flavor.json()));
        }

        @Override
        public Stream<InstanceState> after(UUID each, InstanceState before, Reply reply, List<UUID> hosts) {
            if (before.migrations().containsKey(migration)) {
                return Stream.of(before);
            }
            return switch (reply) {
                case Reply.Done done -> {
                    JsonNode selection = done.json().get("selections").get(0).get(0);
                    yield moved(before, Reply.host(selection), Reply.claimed(selection));
                }
                case Reply.Refused _, Reply.Wrong _ -> Stream.of(before);
                case Reply.Unknown _ -> Stream.concat(Stream.of(before), hosts.stream()
                        .flatMap(host -> moved(before, host, Map.of(host, flavor.amounts()))));
            };
        }

        private Stream<InstanceState> moved(
                InstanceState before, UUID host, Map<UUID, Map<String, Long>> claimed) {
            if (before.isPlaced() == (kind == Kind.UNSHELVE)
                    || (source != null && !before.held().containsKey(source))) {
                return Stream.empty();
            }
            Map<UUID, Map<String, Long>> now = claimed;
            if (kind == Kind.EVACUATE) {
                Map<UUID, Map<String, Long>> both = new HashMap<>(before.held());
                claimed.forEach(both::putIfAbsent);
                now = Map.copyOf(both);
            }
            var migrated = new Migration(
                    kind, kind.handsOver() ? before.held() : Map.of(), before.held(), now, before.registered(), false);
            return Stream.of(before.holding(now).registered(host).with(migration, migrated));
        }
    }

    record Revert(UUID instance, UUID migration) implements Command {
        @Override
        public List<UUID> instances() {
            return List.of(instance);
        }

        @Override
        public Request request() {
            return new Request(true, "POST", "/v1/moves/" + migration + "/revert", null);
        }

        @Override
        public Stream<InstanceState> after(UUID each, InstanceState before, Reply reply, List<UUID> hosts) {
            Migration move = before.migrations().get(migration);
            return switch (reply) {
                case Reply.Done _ when move == null -> Stream.empty();
                case Reply.Done _ when move.isReverted() -> Stream.of(before);
                case Reply.Done _ -> reverted(before, move);
                case Reply.Refused _, Reply.Wrong _ -> Stream.of(before);
                case Reply.Unknown _ when move == null || move.isReverted() -> Stream.of(before);
                case Reply.Unknown _ -> Stream.concat(Stream.of(before), reverted(before, move));
            };
        }

        /**
         * Returns the state after the revert. A move that was confirmed, or whose instance was deleted, cannot be
         * reverted, unless nothing remains to be done.
         */
        private Stream<InstanceState> reverted(InstanceState before, Migration move) {
            boolean canBe = (!move.held().isEmpty() && before.isPlaced())
                    || before.held().equals(move.before())
                    || (!move.kind().handsOver() && before.held().equals(move.after()));
            return canBe
                    ? Stream.of(before.holding(move.before())
                            .registered(move.registeredBefore())
                            .with(migration, move.reverted()))
                    : Stream.empty();
        }
    }

    /** Confirms a move: the migration's allocations are deleted in placement. */
    record Confirm(UUID instance, UUID migration) implements Command {
        @Override
        public List<UUID> instances() {
            return List.of(instance);
        }

        @Override
        public Request request() {
            return new Request(false, "DELETE", "/allocations/" + migration, null);
        }

        @Override
        public Stream<InstanceState> after(UUID each, InstanceState before, Reply reply, List<UUID> hosts) {
            Migration move = before.migrations().get(migration);
            if (move == null || reply instanceof Reply.Refused) {
                return Stream.of(before);
            }
            InstanceState confirmed = before.with(migration, move.holding(Map.of()));
            return reply instanceof Reply.Done ? Stream.of(confirmed) : Stream.of(before, confirmed);
        }
    }

    /** Deletes an instance through the scheduler: its allocations and its registration. */
    record Delete(UUID instance) implements Command {
        @Override
        public List<UUID> instances() {
            return List.of(instance);
        }

        @Override
        public Request request() {
            return new Request(true, "DELETE", "/v1/instances/" + instance, null);
        }

        @Override
        public Stream<InstanceState> after(UUID each, InstanceState before, Reply reply, List<UUID> hosts) {
            InstanceState released = before.holding(Map.of());
            InstanceState gone = released.registered(null);
            return switch (reply) {
                case Reply.Done _ -> Stream.of(gone);
                case Reply.Refused(String code) when code.equals("scheduler.not_found") ->
                    before.isPlaced() ? Stream.empty() : Stream.of(gone);
                case Reply.Refused _, Reply.Wrong _ -> Stream.of(before);
                case Reply.Unknown _ -> Stream.of(before, released, gone);
            };
        }
    }

    /** Deletes an instance's allocations in placement, of which the scheduler is notified. */
    record GiveUp(UUID instance) implements Command {
        @Override
        public List<UUID> instances() {
            return List.of(instance);
        }

        @Override
        public Request request() {
            return new Request(false, "DELETE", "/allocations/" + instance, null);
        }

        @Override
        public Stream<InstanceState> after(UUID each, InstanceState before, Reply reply, List<UUID> hosts) {
            return afterOneWrite(reply, before, Stream.of(before.holding(Map.of())));
        }
    }

    /**
     * Hands the allocations of an instance over to a migration by one {@code POST /allocations}, as nova's conductor
     * does before it queries the scheduler. Afterwards the instance holds nothing.
     */
    record HandOver(UUID instance, UUID migration) implements Command {
        @Override
        public List<UUID> instances() {
            return List.of(instance);
        }

        @Override
        public Request request() {
            return Plain.read(instance);
        }

        @Override
        public Reply send(SimulatedCloud cloud, int scheduler) {
            return Plain.transfer(cloud, scheduler, instance, "INSTANCE", migration, "MIGRATION");
        }

        @Override
        public boolean isPlain() {
            return true;
        }

        @Override
        public Stream<InstanceState> after(UUID each, InstanceState before, Reply reply, List<UUID> hosts) {
            return afterOneWrite(reply, before, handedOver(before));
        }

        private Stream<InstanceState> handedOver(InstanceState before) {
            var move = new Migration(Kind.PLAIN, before.held(), before.held(), Map.of(), before.registered(), false);
            return before.isPlaced() && !before.migrations().containsKey(migration)
                    ? Stream.of(before.holding(Map.of()).with(migration, move))
                    : Stream.empty();
        }
    }

    /** Returns the allocations of a migration to its instance, as nova's conductor does when a move fails. */
    record HandBack(UUID instance, UUID migration) implements Command {
        @Override
        public List<UUID> instances() {
            return List.of(instance);
        }

        @Override
        public Request request() {
            return Plain.read(migration);
        }

        @Override
        public Reply send(SimulatedCloud cloud, int scheduler) {
            return Plain.transfer(cloud, scheduler, migration, "MIGRATION", instance, "INSTANCE");
        }

        @Override
        public boolean isPlain() {
            return true;
        }

        @Override
        public Stream<InstanceState> after(UUID each, InstanceState before, Reply reply, List<UUID> hosts) {
            return afterOneWrite(reply, before, handedBack(before));
        }

        private Stream<InstanceState> handedBack(InstanceState before) {
            Migration move = before.migrations().get(migration);
            return move == null || move.held().isEmpty() || before.isPlaced()
                    ? Stream.empty()
                    : Stream.of(before.holding(move.held()).with(migration, move.holding(Map.of())));
        }
    }

    /** Claims for an instance that holds nothing, in placement alone, as nova does for an alternate or a forced host. */
    record PlainClaim(UUID instance, UUID host, Flavor flavor) implements Command {
        @Override
        public List<UUID> instances() {
            return List.of(instance);
        }

        @Override
        public Request request() {
            return new Request(false, "PUT", "/allocations/" + instance, """
                    {"allocations": {"%s": {"resources": %s}}, "project_id": "p", "user_id": "u",
                     "consumer_generation": null, "consumer_type": "INSTANCE"}"""
                    .formatted(host, Reply.JSON.valueToTree(flavor.amounts())));
        }

        @Override
        public boolean isPlain() {
            return true;
        }

        @Override
        public Stream<InstanceState> after(UUID each, InstanceState before, Reply reply, List<UUID> hosts) {
            return afterOneWrite(reply, before, claimed(before));
        }

        private Stream<InstanceState> claimed(InstanceState before) {
            return before.isPlaced() ? Stream.empty() : Stream.of(before.holding(Map.of(host, flavor.amounts())));
        }
    }

    /** Removes members from a group by replacing its list. */
    record ChangeGroup(Group group, Set<UUID> members) implements Command {
        @Override
        public List<UUID> instances() {
            return List.of();
        }

        @Override
        public Request request() {
            return group.put(members);
        }

        @Override
        public Stream<InstanceState> after(UUID each, InstanceState before, Reply reply, List<UUID> hosts) {
            return Stream.of(before);
        }
    }

    /**
     * Returns the possible states after a command that is one write. An unknown reply allows both the state before and
     * the written states.
     */
    private static Stream<InstanceState> afterOneWrite(
            Reply reply, InstanceState before, Stream<InstanceState> written) {
        return switch (reply) {
            case Reply.Done _ -> written;
            case Reply.Refused _, Reply.Wrong _ -> Stream.of(before);
            case Reply.Unknown _ -> Stream.concat(Stream.of(before), written);
        };
    }

    /** Returns the possible states after all of the commands, in any order. */
    static List<InstanceState> after(
            UUID instance, List<Answered> commands, List<InstanceState> before, List<UUID> hosts) {
        if (commands.isEmpty()) {
            return before;
        }
        List<InstanceState> all = new ArrayList<>();
        for (Answered first : commands) {
            List<Answered> rest = new ArrayList<>(commands);
            rest.remove(first);
            List<InstanceState> next = before.stream()
                    .flatMap(state -> first.command().after(instance, state, first.reply(), hosts))
                    .toList();
            all.addAll(after(instance, rest, next, hosts));
        }
        return all.stream().distinct().toList();
    }

    record Answered(Command command, Reply reply) {}
}
