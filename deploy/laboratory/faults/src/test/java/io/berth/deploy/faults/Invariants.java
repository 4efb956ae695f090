package io.berth.deploy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.faults.Command.Answered;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/** Checks rules that hold for all requests of clients. */
final class Invariants {
    /** The moment of a change that has no response yet, so it may still happen. */
    private static final int MAY_YET = Integer.MAX_VALUE;

    private final Connection database;
    private final Set<UUID> hosts;
    private final List<Group> groups;
    /** Counts the moments at which commands are sent. */
    private int moment;
    private final Map<Command.Select, Integer> requested = new HashMap<>();
    private final Map<Group, Integer> changed = new HashMap<>();

    Invariants(Connection database, List<UUID> hosts, List<Group> groups) {
        this.database = database;
        this.hosts = Set.copyOf(hosts);
        this.groups = groups;
    }

    /**
     * Checks the rules that hold at any time.
     *
     * @param plain consumers that a client wrote only in placement
     * @param story describes the history of a consumer in messages
     */
    void check(Observed observed, Set<UUID> plain, Function<UUID, String> story) throws SQLException {
        Books.checkOrder(database);
        Set<UUID> unknown = new HashSet<>(observed.held().keySet());
        unknown.removeAll(observed.registered().keySet());
        unknown.removeAll(observed.openInstances());
        unknown.removeAll(observed.migrations());
        unknown.removeAll(plain);
        assertThat(unknown)
                .as("consumers that hold something and are neither registered nor migrations nor requested\n%s",
                        unknown.stream().map(each -> observed.of(each) + "\n" + story.apply(each)).toList())
                .isEmpty();
        observed.registered().forEach(
                (instance, name) -> assertThat(hosts).as("hosts of " + instance).contains(SchedulerHosts.uuid(name)));
        groups.forEach(group -> checkPolicy(group, observed));
    }

    private static void checkPolicy(Group group, Observed observed) {
        Map<UUID, Set<UUID>> byHost = new HashMap<>();
        for (UUID member : observed.membersOf(group)) {
            UUID host = observed.placeOf(member);
            if (host != null) {
                byHost.computeIfAbsent(host, each -> new HashSet<>()).add(member);
            }
        }
        if (group.most() == 0) {
            assertThat(byHost).as("hosts of the members of " + group).hasSizeLessThan(2);
        } else {
            assertThat(byHost.values()).as("members of %s on one host", group)
                    .allSatisfy(there -> assertThat(there).hasSizeLessThanOrEqualTo(group.most()));
        }
    }

    /**
     * Checks that an instance placed for a group is a member of it, unless a client may have changed the group since
     * the request.
     *
     * @param answered commands of the same moment
     * @param story describes the history of an instance in messages
     */
    void checkJoined(List<Answered> answered, Observed observed, Function<UUID, String> story) {
        moment++;
        for (Answered each : answered) {
            switch (each.command()) {
                case Command.ChangeGroup change ->
                    changed.merge(change.group(), each.reply() instanceof Reply.Unknown ? MAY_YET : moment, Math::max);
                case Command.Select select -> requested.putIfAbsent(select, moment);
                default -> {}
            }
        }
        for (Answered each : answered) {
            if (each.command() instanceof Command.Select select && select.group() != null
                    && each.reply() instanceof Reply.Done
                    && changed.getOrDefault(select.group(), 0) < requested.get(select)) {
                assertThat(observed.membersOf(select.group()))
                        .as("members of %s\n%s", select.group(), story.apply(select.instances().getFirst()))
                        .containsAll(select.instances());
            }
        }
    }

    /** Checks the rules that hold when no request is in flight. */
    void checkSettled(Observed observed) {
        assertThat(observed.open()).isZero();
        changed.replaceAll((group, last) -> Math.min(last, moment));
    }
}
