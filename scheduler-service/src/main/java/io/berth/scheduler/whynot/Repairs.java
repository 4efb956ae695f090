package io.berth.scheduler.whynot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.body.RequestSpecBody;
import io.berth.scheduler.decision.HostObstacle;
import io.berth.scheduler.fleet.RatioSources;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.json.StrictObject;
import io.berth.scheduler.question.Hypothesis;
import io.berth.scheduler.question.Snapshot;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * Sets of changes that admit a host: each was tried in both phases, as a whole and without each of its changes, before it is
 * told. Asks placement once for each trial.
 */
final class Repairs {
    private static final int SETS_MAX = 3;
    /** Times that what is left in the way is looked at again. */
    private static final int ROUNDS_MAX = 6;
    /** Trials for one host. */
    private static final int TRIALS_MAX = 60;
    private static final String NOT_TRIED = "admitted_by: not all changes could be tried";

    private final Snapshot snapshot;
    private final JsonNode request;
    private final Tenants tenants;
    private final RatioSources ratios;
    private final Set<String> gaps = new TreeSet<>();
    private int trialsLeft;
    /** The registry of the last attempt. */
    private RegistrySnapshot changed;

    Repairs(Snapshot snapshot, JsonNode request) {
        this.snapshot = snapshot;
        this.request = request;
        this.tenants = new Tenants(snapshot);
        this.ratios = new RatioSources(snapshot.options().defaults().inventory());
        this.changed = snapshot.registry();
    }

    /** What was not looked for to the end. */
    Set<String> gaps() {
        return gaps;
    }

    /** At most three, the smallest first; of the same size those that leave the request as it is. */
    List<List<Change>> of(Evaluation.Host rejected) {
        trialsLeft = TRIALS_MAX;
        Map<Set<String>, List<Change>> sets = new LinkedHashMap<>();
        // The cloud first, the request first, and of several changes of the cloud the last; then what is left.
        for (ToIntFunction<List<List<Change>>> preference : List.<ToIntFunction<List<List<Change>>>>of(
                changes -> 0, Repairs::firstOfRequest, Repairs::lastOfCloud,
                changes -> Math.min(1, changes.size() - 1), changes -> changes.size() - 1)) {
            List<Change> grown = grow(rejected, preference);
            if (grown != null) {
                List<Change> least = inOrder(smallest(rejected, grown));
                sets.putIfAbsent(told(least), least);
            }
        }
        return sets.values().stream().sorted(Comparator.comparingInt(List::size)).limit(SETS_MAX).toList();
    }

    private static Set<String> told(Collection<Change> changes) {
        return changes.stream().map(change -> change.told().toString()).collect(Collectors.toCollection(TreeSet::new));
    }

    private static int firstOfRequest(List<List<Change>> changes) {
        for (int i = 0; i < changes.size(); i++) {
            if (changes.get(i).getFirst().ofRequest()) {
                return i;
            }
        }
        return 0;
    }

    private static int lastOfCloud(List<List<Change>> changes) {
        int last = 0;
        for (int i = 1; i < changes.size(); i++) {
            last = changes.get(i).getFirst().ofRequest() ? last : i;
        }
        return last;
    }

    /** A change for each obstacle, again until there is none. Null if that leads nowhere. */
    private @Nullable List<Change> grow(Evaluation.Host rejected, ToIntFunction<List<List<Change>>> preference) {
        Map<String, Change> chosen = new LinkedHashMap<>();
        Evaluation.Host now = rejected;
        changed = snapshot.registry();
        for (int round = 0; round < ROUNDS_MAX; round++) {
            Set<String> before = told(chosen.values());
            // Of what is by then, but for the request: a change replaces the one before of the same thing.
            Changes guesses = new Changes(changed, ratios, now, request, tenants);
            for (ObjectNode obstacle : now.obstacles()) {
                List<List<Change>> changes = guesses.of(obstacle);
                if (changes.isEmpty()) {
                    if (!mayGoByItself(obstacle)) {
                        return null;
                    }
                    continue;
                }
                changes.get(preference.applyAsInt(changes)).forEach(change -> chosen.put(change.key(), change));
            }
            if (told(chosen.values()).equals(before)) {
                return null;
            }
            List<Change> set = List.copyOf(chosen.values());
            now = attempt(rejected.target(), set);
            if (now == null) {
                return null;
            }
            if (now.isAdmissible()) {
                return set;
            }
        }
        return null;
    }

    /** Others come before it; or what it is was not found out, and may be with the other changes. */
    private static boolean mayGoByItself(ObjectNode obstacle) {
        String code = obstacle.path("code").asText();
        return code.equals("cut_by_limit")
                || code.equals(HostObstacle.NOT_EVALUATED) && obstacle.path("stage").asText().equals("placement");
    }

    private List<Change> smallest(Evaluation.Host rejected, List<Change> admitting) {
        List<Change> left = new ArrayList<>(admitting);
        for (Change change : admitting) {
            if (left.size() == 1) {
                break;
            }
            List<Change> without = new ArrayList<>(left);
            without.remove(change);
            Evaluation.Host tried = attempt(rejected.target(), without);
            if (tried != null && tried.isAdmissible()) {
                left = without;
            }
        }
        return left;
    }

    /** Each call writes a whole: a later one to the same place keeps what the earlier ones changed. */
    private static List<Change> inOrder(List<Change> changes) {
        Map<String, JsonNode> written = new HashMap<>();
        return changes.stream().map(change -> {
            ObjectNode told = change.told().deepCopy();
            if (told.path("call").path("body") instanceof ObjectNode body) {
                JsonNode before = written.put(told.path("call").path("path").asText(), body);
                if (before != null) {
                    keep(told, before, body);
                }
            }
            return new Change(change.key(), change.ofRequest(), told, change.effect());
        }).toList();
    }

    private static void keep(ObjectNode told, JsonNode before, ObjectNode body) {
        String change = told.path("change").asText();
        for (Map.Entry<String, JsonNode> member : before.properties()) {
            if (member.getValue().isArray()) {
                Set<String> items = new TreeSet<>();
                member.getValue().forEach(item -> items.add(item.asText()));
                String own = told.path(member.getKey().equals("traits") ? "trait" : "aggregate").asText();
                if (change.startsWith("add") || change.startsWith("join")) {
                    items.add(own);
                } else {
                    items.remove(own);
                }
                items.forEach(body.putArray(member.getKey())::add);
            } else if (!member.getKey().equals(change)) {
                body.set(member.getKey(), member.getValue());
            }
        }
    }

    /** The host after these changes; null where they cannot be made, or there is no time to try. */
    private @Nullable Evaluation.Host attempt(Target target, List<Change> changes) {
        if (snapshot.deadline().isUp() || trialsLeft-- <= 0) {
            gaps.add(NOT_TRIED);
            return null;
        }
        // Placement may not have another node of its service; this one alone is looked at.
        Hypothesis cloud = new Hypothesis(snapshot.registry()).knowing(target.host(), List.of(target.provider()));
        ObjectNode asked = request.deepCopy();
        changes.forEach(change -> change.effect().on(cloud, asked));
        changed = cloud.registry();
        try {
            RequestSpecBody read =
                    RequestSpecBody.read(new StrictObject(asked, "$.request_spec"), UUID::randomUUID);
            Evaluation tried =
                    Evaluation.of(snapshot.with(cloud), read, List.of(target), Evaluation.Detail.ADMISSIBLE);
            if (!tried.gaps().isEmpty()) {
                gaps.add(NOT_TRIED);
            }
            return tried.hosts().isEmpty() ? null : tried.hosts().getFirst();
        } catch (ApiFault impossible) {
            if (impossible.error().code().status() >= 500) {
                throw impossible;
            }
            return null;
        }
    }
}
