package io.berth.deploy.faults;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/** Draws the clients' next commands at random, for new and for existing instances. */
final class Clients {
    private static final int COMMANDS_MIN = 3;
    private static final int COMMANDS_MAX = 8;
    private static final int PLACED_AIM = 24;
    private static final int INSTANCES_TOGETHER_MAX = 5;
    private static final int SIZE_MAX = 3;
    private static final double REPEATED_UNANSWERED = 0.4;
    /** The probability that a client sends its request twice at the same time. */
    private static final double TWICE = 0.12;
    /** The probability that a command is about an instance that another command of the same moment is about. */
    private static final double AT_ONCE = 0.3;

    /** The share of the deletions that a client sends only to placement. */
    private static final double IN_PLACEMENT = 0.3;

    /** The share of the commands about an instance that nova sends only to placement, if possible. */
    private static final double PLAIN = 0.25;

    private static final double GROUPED = 0.4;
    private static final double GROUP_CHANGED = 0.1;

    private final Random random;
    private final Model model;
    private final List<Group> groups;
    private final List<UUID> hosts;
    /** Instances that were placed for a group. Plain requests ignore groups, so they would violate its policy. */
    private final Set<UUID> grouped = new HashSet<>();

    Clients(Random random, Model model, List<Group> groups, List<UUID> hosts) {
        this.random = random;
        this.model = model;
        this.groups = groups;
        this.hosts = hosts;
    }

    /**
     * Returns all commands of one moment.
     *
     * @param seen the state of the tables before this moment
     */
    List<Command> next(Observed seen) {
        List<Command> commands = new ArrayList<>();
        model.unresolved().stream().filter(each -> random.nextDouble() < REPEATED_UNANSWERED).forEach(commands::add);
        List<UUID> certain = model.certain();
        List<UUID> used = new ArrayList<>();
        long placed = certain.stream().filter(instance -> model.stateOf(instance).isPlaced()).count();
        int count = random.nextInt(COMMANDS_MIN, COMMANDS_MAX + 1);
        for (int i = 0; i < count; i++) {
            boolean isNew = certain.isEmpty() || random.nextDouble() < (placed < PLACED_AIM ? 0.5 : 0.15);
            List<UUID> among = !used.isEmpty() && random.nextDouble() < AT_ONCE ? used : certain;
            Command command = isNew ? select() : about(any(among));
            commands.add(command);
            if (!isNew) {
                used.addAll(command.instances());
            }
            if (random.nextDouble() < TWICE) {
                commands.add(command);
            }
        }
        if (random.nextDouble() < GROUP_CHANGED) {
            commands.add(change(any(groups), seen));
        }
        return commands;
    }

    private Command change(Group group, Observed seen) {
        Set<UUID> stay = new TreeSet<>(seen.membersOf(group));
        stay.removeIf(each -> random.nextInt(4) == 0);
        return new Command.ChangeGroup(group, stay);
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private Flavor flavor() {
        return new Flavor(random.nextInt(1, SIZE_MAX + 1));
    }

    private Command select() {
        List<UUID> instances = new ArrayList<>();
        int count = random.nextBoolean() ? 1 : random.nextInt(2, INSTANCES_TOGETHER_MAX + 1);
        for (int i = 0; i < count; i++) {
            instances.add(new UUID(random.nextLong(), random.nextLong()));
        }
        Group group = random.nextDouble() < GROUPED ? any(groups) : null;
        if (group != null) {
            grouped.addAll(instances);
        }
        return new Command.Select(instances, flavor(), group);
    }

    private Command about(UUID instance) {
        InstanceState state = model.stateOf(instance);
        if (!grouped.contains(instance) && random.nextDouble() < PLAIN) {
            return plain(instance, state);
        }
        List<UUID> migrations = List.copyOf(state.migrations().keySet());
        List<JsonNode> offers = model.offersOf(instance);
        int dice = random.nextInt(10);
        if (dice < 2) {
            return random.nextDouble() < IN_PLACEMENT ? new Command.GiveUp(instance) : new Command.Delete(instance);
        } else if (dice < 3) {
            return new Command.Select(List.of(instance), flavor(), null);
        } else if (dice < 5 && offers.size() > 1) {
            return new Command.Reschedule(instance, offers.getFirst(), offers.subList(1, offers.size()));
        } else if (dice < 7 && !migrations.isEmpty()) {
            return new Command.Revert(instance, any(migrations));
        } else if (dice < 8 && !migrations.isEmpty()) {
            List<UUID> holding = migrations.stream()
                    .filter(each -> !state.migrations().get(each).held().isEmpty())
                    .toList();
            return new Command.Confirm(instance, any(holding.isEmpty() ? migrations : holding));
        }
        return move(instance, state);
    }

    /** Returns the next write of nova's conductor in a move: hand over, claim for the target, or hand back. */
    private Command plain(UUID instance, InstanceState state) {
        if (state.isPlaced()) {
            return new Command.HandOver(instance, new UUID(random.nextLong(), random.nextLong()));
        }
        List<UUID> holding = state.migrations().keySet().stream()
                .filter(each -> !state.migrations().get(each).held().isEmpty())
                .sorted()
                .toList();
        return holding.isEmpty() || random.nextBoolean()
                ? new Command.PlainClaim(instance, any(hosts), flavor())
                : new Command.HandBack(instance, any(holding));
    }

    private Command move(UUID instance, InstanceState state) {
        UUID migration = new UUID(random.nextLong(), random.nextLong());
        if (!state.isPlaced()) {
            return new Command.Move(Command.Kind.UNSHELVE, instance, migration, null, flavor());
        }
        UUID source = state.registered() != null && state.held().containsKey(state.registered())
                ? state.registered() : state.held().keySet().iterator().next();
        return new Command.Move(any(Command.Kind.LEAVING), instance, migration, source, flavor());
    }
}
