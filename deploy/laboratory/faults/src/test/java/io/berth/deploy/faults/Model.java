package io.berth.deploy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.deploy.faults.Command.Answered;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The possible state of every instance, derived from the responses to clients: all states that some order of its
 * commands explains. Comparisons with the tables replace them with the states that were found.
 */
final class Model {
    private final List<UUID> hosts;
    private final Map<UUID, Known> instances = new LinkedHashMap<>();
    /** Commands whose effect is not known yet. */
    private final Set<Command> unresolved = new LinkedHashSet<>();
    /**
     * Instances whose allocations a client wrote only in placement. The scheduler registers such an instance later if
     * it holds something.
     */
    private final Set<UUID> plainInstances = new HashSet<>();
    /** Migrations that the scheduler does not know. */
    private final Set<UUID> plainMigrations = new HashSet<>();

    Model(List<UUID> hosts) {
        this.hosts = hosts;
    }

    /** The known state of one instance. */
    private static final class Known {
        private List<InstanceState> possible = List.of(InstanceState.NOTHING);
        /** True if a request had no response, or a fault may have delayed a rollback. */
        private boolean inDoubt;
        /** True if a command without a response ran beside others, so their effects may be mixed. */
        private boolean isAnything;
        /** The last acknowledged command, if it ran alone. */
        private Answered last;
        /** Selections of the instance, starting with the current one. */
        private List<JsonNode> offers = List.of();
        private final List<String> story = new ArrayList<>();
    }

    /** Returns the instances whose state is known. */
    List<UUID> certain() {
        return instances.entrySet().stream()
                .filter(each -> !each.getValue().inDoubt)
                .map(Map.Entry::getKey)
                .toList();
    }

    Set<UUID> plainMigrations() {
        return plainMigrations;
    }

    /** Returns the instances and migrations whose allocations a client wrote only in placement. */
    Set<UUID> plainConsumers() {
        Set<UUID> all = new HashSet<>(plainMigrations);
        all.addAll(plainInstances);
        return all;
    }

    Set<Command> unresolved() {
        return unresolved;
    }

    /** @param instance one of {@link #certain} */
    InstanceState stateOf(UUID instance) {
        return instances.get(instance).possible.getFirst();
    }

    /** Returns the selections of the instance, starting with the current one, or an empty list if they are unknown. */
    List<JsonNode> offersOf(UUID instance) {
        List<JsonNode> offers = instances.get(instance).offers;
        return !offers.isEmpty() && stateOf(instance).held().equals(Reply.claimed(offers.getFirst()))
                ? offers : List.of();
    }

    /**
     * Adds commands that ran at the same time.
     *
     * @param when the time, for messages
     * @param isFaulty true if a fault may have delayed rollbacks
     */
    void answered(String when, List<Answered> commands, boolean isFaulty) {
        List<Answered> distinct = withoutRepeated(commands);
        Map<UUID, List<Answered>> byInstance = new LinkedHashMap<>();
        for (Answered each : distinct) {
            if (each.command().instances().isEmpty()) {
                continue;
            }
            if (each.reply() instanceof Reply.Unknown) {
                unresolved.add(each.command());
            } else if (each.reply() instanceof Reply.Done) {
                unresolved.remove(each.command());
            }
            each.command().instances().forEach(
                    instance -> byInstance.computeIfAbsent(instance, uuid -> new ArrayList<>()).add(each));
        }
        byInstance.forEach((instance, its) -> answered(when, instance, its, isFaulty));
    }

    /** Drops repetitions: an acknowledgment counts for a request that was sent twice. */
    private static List<Answered> withoutRepeated(List<Answered> commands) {
        Set<Command> acknowledged = new HashSet<>();
        for (Answered each : commands) {
            if (each.reply() instanceof Reply.Done) {
                acknowledged.add(each.command());
            }
        }
        return commands.stream()
                .filter(each -> !(each.reply() instanceof Reply.Unknown) || !acknowledged.contains(each.command()))
                .toList();
    }

    private void answered(String when, UUID instance, List<Answered> its, boolean isFaulty) {
        Known known = instances.computeIfAbsent(instance, uuid -> new Known());
        its.forEach(each -> known.story.add(when + ": " + each.command() + " -> " + each.reply()));
        its.stream().map(Answered::command).filter(Command::isPlain).forEach(command -> {
            plainInstances.add(instance);
            if (command instanceof Command.HandOver handOver) {
                plainMigrations.add(handOver.migration());
            }
        });
        boolean isUnknown = its.stream().anyMatch(each -> each.reply() instanceof Reply.Unknown);
        boolean isRefused = its.stream().anyMatch(each -> each.reply() instanceof Reply.Refused);
        List<InstanceState> before = known.possible;
        known.possible = Command.after(instance, its, before, hosts);
        known.isAnything |= isUnknown && its.size() > 1;
        boolean isOpen = unresolved.stream().anyMatch(each -> each.instances().contains(instance));
        known.inDoubt = isOpen || (isRefused && (isFaulty || known.inDoubt));
        assertThat(known.isAnything || !known.possible.isEmpty())
                .as("some order explains the responses; before %s\n%s", before, tell(instance)).isTrue();
        Answered only = its.size() == 1 ? its.getFirst() : null;
        boolean isAcknowledged = its.stream().anyMatch(each -> each.reply() instanceof Reply.Done);
        if (isAcknowledged || isUnknown) {
            known.last = only;
            known.offers = only == null ? List.of() : offers(instance, only, known.offers);
        }
    }

    private static List<JsonNode> offers(UUID instance, Answered answered, List<JsonNode> before) {
        if (!(answered.reply() instanceof Reply.Done done)) {
            return List.of();
        }
        return switch (answered.command()) {
            case Command.Select select -> list(done.json().get("selections").get(select.instances().indexOf(instance)));
            case Command.Move move when move.kind().hasAlternates() -> list(done.json().get("selections").get(0));
            case Command.Reschedule _ -> before.subList(
                    Math.max(0, before.indexOf(done.json().get("selection"))), before.size());
            default -> List.of();
        };
    }

    private static List<JsonNode> list(JsonNode array) {
        List<JsonNode> list = new ArrayList<>();
        array.forEach(list::add);
        return list;
    }

    /** Returns acknowledged requests whose result still holds, so that a repetition must get the same response. */
    List<Answered> repeatable() {
        Set<Answered> all = new LinkedHashSet<>();
        instances.values().forEach(each -> {
            if (each.last != null && each.last.reply() instanceof Reply.Done) {
                all.add(each.last);
            }
        });
        return all.stream()
                .filter(each -> each.command().instances().stream().allMatch(instance -> stillHolds(instance, each)))
                .toList();
    }

    private boolean stillHolds(UUID instance, Answered answered) {
        Known known = instances.get(instance);
        if (known == null || known.inDoubt || !answered.equals(known.last)) {
            return false;
        }
        return switch (answered.command()) {
            case Command.Select _, Command.Reschedule _ -> !offersOf(instance).isEmpty();
            case Command.Move _, Command.Revert _ -> true;
            case Command.Confirm _, Command.Delete _, Command.GiveUp _, Command.ChangeGroup _,
                    Command.HandOver _, Command.HandBack _, Command.PlainClaim _ -> false;
        };
    }

    /** Checks the instances whose state is known. */
    void check(Observed observed) {
        instances.forEach((instance, known) -> {
            if (!known.inDoubt) {
                check(instance, known, observed);
            }
        });
    }

    private void check(UUID instance, Known known, Observed observed) {
        List<InstanceState> found = known.possible.stream()
                .filter(each -> each.isAs(observed, instance)
                        || plainInstances.contains(instance) && each.holdsAsIn(observed, instance))
                .toList();
        if (found.isEmpty()) {
            throw new AssertionError("nothing explains what was found: it %s\nbut it should be one of %s\n%s".formatted(
                    observed.of(instance), known.possible, tell(instance)));
        }
        known.possible = List.of(found.getFirst().seen(observed, instance));
    }

    /**
     * Checks all instances when no request is in flight. Each request must have been completed as a whole or not at
     * all.
     */
    void checkSettled(Observed observed) {
        for (Command command : unresolved) {
            List<UUID> its = command.instances();
            if (its.size() > 1 && its.stream().noneMatch(instance -> instances.get(instance).isAnything)) {
                long placed = its.stream().filter(instance -> !observed.heldBy(instance).isEmpty()).count();
                assertThat(placed).as("placed of %s\n%s", its, tell(its.getFirst())).isIn(0L, (long) its.size());
            }
        }
        unresolved.clear();
        instances.values().removeIf(known -> known.isAnything);
        instances.forEach((instance, known) -> {
            known.inDoubt = false;
            check(instance, known, observed);
        });
    }

    /** Returns the history of an instance, or of the instances that a migration moves. */
    String tell(UUID consumer) {
        String stories = instances.entrySet().stream()
                .filter(each -> each.getKey().equals(consumer)
                        || each.getValue().story.toString().contains(consumer.toString()))
                .map(each -> each.getKey() + "\n  " + String.join("\n  ", each.getValue().story))
                .collect(Collectors.joining("\n"));
        return stories.isEmpty() ? "no client requested " + consumer : consumer + ", of\n" + stories;
    }
}
