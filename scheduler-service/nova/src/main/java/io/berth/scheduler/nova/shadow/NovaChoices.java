package io.berth.scheduler.nova.shadow;

import io.berth.context.Recurring;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.snapshot.RegistryFeed;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.nova.shadow.Comparison.Reason;
import io.berth.scheduler.nova.shadow.Comparison.Verdict;
import io.berth.scheduler.placement.AllocationsResult;
import io.berth.scheduler.placement.PlacementClient;
import io.berth.scheduler.placement.ProviderNames;
import io.berth.scheduler.placement.ProvidersResult;
import io.berth.scheduler.record.DecisionRecords;
import io.berth.scheduler.text.Uuids;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Waits for up to a minute until instances have allocations in placement, which are nova's claims, and compares the
 * claimed hosts with Berth's choices. If an instance already has allocations right after Berth's choice, its request is
 * not comparable, because Berth may have seen the allocations. Allocations on a host that the request ignores do not
 * count, because they are older than the request, such as the allocations of an evacuated instance on its old host.
 */
@Singleton
class NovaChoices {
    /**
     * The maximum number of instances that wait for nova's claim. {@link ShadowCalls} drops and counts further
     * requests.
     */
    static final int WAITING_MAX = 2_000;
    /** The interval of rounds (see {@link #queryDue}), and the first pause between two queries for one instance. */
    private static final Duration ROUND_INTERVAL = Duration.ofMillis(500);
    /** How long an instance waits for nova's claim. */
    private static final long WAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(60);
    /** The maximum pause between two queries for one instance; the pause doubles each time. */
    private static final long PAUSE_NANOS_MAX = TimeUnit.SECONDS.toNanos(4);
    /** The maximum number of concurrent queries to placement. */
    private static final int CONCURRENT_QUERIES_MAX = 8;
    /**
     * The maximum number of claims, and of decisions in {@link #differingDecisions}, in memory. The oldest are
     * forgotten first.
     */
    private static final int CLAIMS_MAX = 1_000;
    /**
     * How long a claim may be missing from the reports of its compute node. A compute node reports an instance once the
     * build begins.
     */
    private static final long REPORTED_WITHIN_NANOS = TimeUnit.MINUTES.toNanos(1);
    /**
     * Resource classes that an instance holds on the root provider of its host. An ironic instance holds the resource
     * class of its node instead; its provider is known to be a host because it is a registered compute node.
     */
    private static final Set<String> CLASSES_ON_ROOT = Set.of("VCPU", "PCPU", "MEMORY_MB");

    private final PlacementClient placement;
    private final ProviderNames names;
    private final RegistryFeed feed;
    private final DecisionRecords records;
    private final ShadowStore store;
    /** The instances that wait for nova's claim, in the order of arrival. Guarded by itself. */
    private final List<PendingChoice> waiting = new ArrayList<>();
    /** The latest claims, the oldest first. Guarded by itself. */
    private final ArrayDeque<Claim> claims = new ArrayDeque<>();
    /**
     * Ids of decisions in which nova chose another host than Berth for an instance, the oldest first. Only the round in
     * progress uses this queue.
     */
    private final ArrayDeque<UUID> differingDecisions = new ArrayDeque<>();

    NovaChoices(
            PlacementClient placement,
            ProviderNames names,
            RegistryFeed feed,
            DecisionRecords records,
            ShadowStore store,
            MeterRegistry meters) {
        this.placement = placement;
        this.names = names;
        this.feed = feed;
        this.records = records;
        this.store = store;
        Gauge.builder("berth.nova.shadow.waiting", this, NovaChoices::waitingCount)
                .description("Instances whose claim by nova-scheduler is waited for, to compare it with Berth's choice")
                .register(meters);
    }

    /** An instance whose claim was not seen yet. Only the round in progress changes this object. */
    private static final class PendingChoice {
        private final ShadowChoice choice;
        /** When the next query is due, in {@link System#nanoTime}. */
        private long dueNanos;
        private long pauseNanos = ROUND_INTERVAL.toNanos();

        PendingChoice(ShadowChoice choice) {
            this.choice = choice;
            this.dueNanos = choice.decidedNanos() + pauseNanos;
        }

        /** Postpones the next query, for twice as long as the last time, up to {@link #PAUSE_NANOS_MAX}. */
        void pause() {
            pauseNanos = Math.min(2 * pauseNanos, PAUSE_NANOS_MAX);
            dueNanos = System.nanoTime() + pauseNanos;
        }
    }

    /**
     * A claim of nova.
     *
     * @param host name of the host
     * @param provider uuid of the host's resource provider
     * @param amounts allocated amounts on this provider, by resource class
     * @param seenNanos when placement returned the claim, in {@link System#nanoTime}
     */
    private record Claim(
            UUID instance, String provider, String host, Map<String, Long> amounts, long seenNanos) {}

    /**
     * An instance and its allocations.
     *
     * @param allocations amounts by provider uuid and resource class; null: placement did not respond
     */
    private record ChoiceWithAllocations(ShadowChoice choice, @Nullable Map<String, Map<String, Long>> allocations) {
        /** Returns the allocations; an empty map if placement did not return them. */
        Map<String, Map<String, Long>> allocationsOrNone() {
            return allocations == null ? Map.of() : allocations;
        }
    }

    void start(Recurring recurring) {
        recurring.every(ROUND_INTERVAL, this::queryDue, "nova's claims not read");
    }

    int waitingCount() {
        synchronized (waiting) {
            return waiting.size();
        }
    }

    /**
     * Starts to wait for nova's claims; must be called right after Berth's choice. If there is a claim already, the
     * request is not comparable, because Berth may have seen the claim. If placement does not respond, this counts as
     * no claim.
     *
     * @param choices Berth's choices for all instances of one request
     */
    Uni<Void> await(List<ShadowChoice> choices) {
        return queryAllocations(choices)
                .chain(held -> claimsIn(held))
                .chain(earlyClaims -> {
                    List<Comparison> comparisons = new ArrayList<>();
                    remember(earlyClaims);
                    if (earlyClaims.isEmpty()) {
                        synchronized (waiting) {
                            choices.forEach(each -> waiting.add(new PendingChoice(each)));
                        }
                    } else {
                        // One claim makes the whole request not comparable, because nova chooses the hosts of all
                        // instances of a request together.
                        choices.forEach(each -> comparisons.add(decidedTooLate(each, earlyClaims)));
                    }
                    return store.add(comparisons);
                });
    }

    /** Returns the comparison for an instance of a request for which nova's claims existed when Berth had chosen. */
    private static Comparison decidedTooLate(ShadowChoice choice, List<Claim> earlyClaims) {
        return earlyClaims.stream()
                .filter(claim -> claim.instance().equals(choice.instance()))
                .findFirst()
                .map(claim -> Comparison.with(
                        choice, claim.host(), choice.msUntil(claim.seenNanos()), Verdict.NOT_COMPARABLE, Reason.LATE))
                .orElseGet(() -> Comparison.without(choice, Verdict.NOT_COMPARABLE, Reason.LATE, null));
    }

    /** Queries the allocations of the instances, in any order. */
    private Uni<List<ChoiceWithAllocations>> queryAllocations(List<ShadowChoice> choices) {
        return Multi.createFrom().iterable(choices)
                .onItem().transformToUni(each -> placement.getAllocations(each.instance(), each.requestId())
                        .map(result -> new ChoiceWithAllocations(each, switch (result) {
                            case AllocationsResult.Allocations now -> now.allocations();
                            case AllocationsResult.Unreachable _ -> null;
                        })))
                .merge(CONCURRENT_QUERIES_MAX)
                .collect().asList();
    }

    /**
     * Returns the allocations that are nova's claims, in any order: those on a host that the request does not ignore. A
     * provider is a host if it is a registered compute node, or if the instance holds one of {@link #CLASSES_ON_ROOT}
     * on it.
     */
    private Uni<List<Claim>> claimsIn(List<ChoiceWithAllocations> held) {
        long seenNanos = System.nanoTime();
        List<ChoiceWithAllocations> withAllocations =
                held.stream().filter(each -> !each.allocationsOrNone().isEmpty()).toList();
        if (withAllocations.isEmpty()) {
            return Uni.createFrom().item(List.of());
        }
        Set<String> providers = new HashSet<>();
        withAllocations.forEach(each -> providers.addAll(each.allocationsOrNone().keySet()));
        String requestId = withAllocations.getFirst().choice().requestId();
        return feed.current().chain(registry -> names(registry, providers, requestId)
                .map(hostNames -> {
                    List<Claim> found = new ArrayList<>();
                    withAllocations.forEach(each -> each.allocationsOrNone().forEach((provider, amounts) -> {
                        String host = hostNames.get(provider);
                        if (host != null
                                && (node(registry, provider) != null
                                        || amounts.keySet().stream().anyMatch(CLASSES_ON_ROOT::contains))
                                && each.choice().ignoredHosts().stream().noneMatch(host::equalsIgnoreCase)) {
                            found.add(new Claim(each.choice().instance(), provider, host, amounts, seenNanos));
                        }
                    }));
                    return found;
                }));
    }

    /**
     * Returns the names of hosts by the uuids of their providers: the host of the compute node, or the name of a
     * provider that is not a registered compute node. Leaves out providers whose name is unknown.
     */
    private Uni<Map<String, String>> names(RegistrySnapshot registry, Set<String> providers, String requestId) {
        Map<String, String> hosts = new HashMap<>();
        for (String provider : providers) {
            ComputeNode node = node(registry, provider);
            if (node != null) {
                hosts.put(provider, node.host());
            }
        }
        Set<String> notRegistered = new HashSet<>(providers);
        notRegistered.removeAll(hosts.keySet());
        return names.listWith(notRegistered, requestId).map(result -> {
            if (result instanceof ProvidersResult.Listed listed) {
                notRegistered.stream()
                        .filter(listed.namesByUuid()::containsKey)
                        .forEach(provider -> hosts.put(provider, listed.namesByUuid().get(provider)));
            }
            return hosts;
        });
    }

    private static @Nullable ComputeNode node(RegistrySnapshot registry, String provider) {
        UUID uuid = Uuids.find(provider);
        return uuid == null ? null : registry.findComputeNode(uuid);
    }

    /**
     * Runs one round: queries the allocations of the instances that are due, and compares instances that have a claim.
     * If the round fails, postpones the next query for these instances.
     */
    private Uni<Void> queryDue() {
        long now = System.nanoTime();
        List<PendingChoice> due;
        synchronized (waiting) {
            due = waiting.stream().filter(each -> each.dueNanos - now <= 0).toList();
        }
        if (due.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        return queryAllocations(due.stream().map(each -> each.choice).toList()).chain(held -> claimsIn(held)
                .chain(found -> finishRound(
                        due,
                        found,
                        held.stream()
                                .filter(each -> each.allocations() == null)
                                .map(ChoiceWithAllocations::choice)
                                .collect(Collectors.toSet()))))
                .onFailure().invoke(failure -> due.forEach(PendingChoice::pause));
    }

    /**
     * Compares the instances that have a claim, gives up instances that waited too long, and postpones the next query
     * for the others.
     *
     * @param unanswered the choices for instances whose allocations placement did not return
     */
    private Uni<Void> finishRound(List<PendingChoice> due, List<Claim> found, Set<ShadowChoice> unanswered) {
        remember(found);
        long now = System.nanoTime();
        List<PendingChoice> finished = new ArrayList<>();
        List<Uni<Comparison>> comparisons = new ArrayList<>();
        for (PendingChoice each : due) {
            Claim claim = found.stream()
                    .filter(nova -> nova.instance().equals(each.choice.instance()))
                    .findFirst()
                    .orElse(null);
            boolean isOverdue = now - each.choice.decidedNanos() > WAIT_NANOS_MAX;
            if (claim != null || isOverdue) {
                finished.add(each);
                comparisons.add(claim == null
                        ? Uni.createFrom().item(unclaimed(each.choice, unanswered.contains(each.choice)))
                        : compare(each.choice, claim));
            } else {
                each.pause();
            }
        }
        synchronized (waiting) {
            waiting.removeAll(finished);
        }
        return Multi.createFrom().iterable(comparisons)
                .onItem().transformToUniAndConcatenate(each -> each)
                .collect().asList()
                .chain(store::add);
    }

    private void remember(List<Claim> found) {
        synchronized (claims) {
            claims.addAll(found);
            while (claims.size() > CLAIMS_MAX) {
                claims.removeFirst();
            }
        }
    }

    private static Comparison unclaimed(ShadowChoice choice, boolean isUnanswered) {
        return isUnanswered
                ? Comparison.without(
                        choice, Verdict.NOT_COMPARABLE, Reason.FAILED,
                        "placement did not return the instance's allocations")
                : choice.best() == null
                        ? Comparison.without(choice, Verdict.BOTH_REFUSED, null, null)
                        : Comparison.without(
                                choice, Verdict.NOT_COMPARABLE, Reason.NO_CLAIM, "nova made no claim within a minute");
    }

    /**
     * Compares Berth's choice with nova's claim. If they differ, finds the reason; a difference for an earlier instance
     * of the request takes precedence over a later claim on one of the hosts.
     */
    private Uni<Comparison> compare(ShadowChoice choice, Claim claim) {
        double seenMs = choice.msUntil(claim.seenNanos());
        if (choice.best() != null && claim.provider().equals(choice.best().uuid())) {
            return Uni.createFrom().item(Comparison.with(choice, claim.host(), seenMs, Verdict.AGREED, null));
        }
        // After another choice for an instance of the same request, nova chose for a different state of the cloud.
        boolean hasEarlierDifference = differingDecisions.contains(choice.decision());
        if (!hasEarlierDifference) {
            differingDecisions.addLast(choice.decision());
            if (differingDecisions.size() > CLAIMS_MAX) {
                differingDecisions.removeFirst();
            }
        }
        if (choice.equallyGood().contains(claim.provider())) {
            return Uni.createFrom().item(Comparison.with(choice, claim.host(), seenMs, Verdict.EQUAL_WEIGHT, null));
        }
        Comparison different = Comparison.with(choice, claim.host(), seenMs, Verdict.DIFFERENT, null);
        return records.find(choice.decision())
                .map(record -> Difference.explain(different, record, choice.index(), claimedBefore(choice)))
                .onFailure().recoverWithItem(failure -> different.withReason(
                        Reason.NOT_RECORDED, null, null, "the record cannot be read"))
                .map(explained -> explained.reason() != Reason.WEIGHT && explained.reason() != Reason.OLDER_VIEW
                        ? explained
                        : hasEarlierDifference
                                ? explained.withReason(
                                        Reason.EARLIER_INSTANCE, null, explained.novaWeight(), explained.detail())
                                : hasLaterClaim(choice, claim)
                                        ? explained.withReason(
                                                Reason.FLEET_CHANGED, null, explained.novaWeight(), explained.detail())
                                        : explained);
    }

    /**
     * Returns the amounts that other instances claimed in the minute before Berth's choice, by host and resource class.
     */
    private Map<String, Map<String, Long>> claimedBefore(ShadowChoice choice) {
        Map<String, Map<String, Long>> claimed = new HashMap<>();
        synchronized (claims) {
            claims.stream()
                    .filter(claim -> !claim.instance().equals(choice.instance()))
                    .filter(claim -> choice.decidedNanos() - claim.seenNanos() >= 0
                            && choice.decidedNanos() - claim.seenNanos() < REPORTED_WITHIN_NANOS)
                    .forEach(claim -> claim.amounts().forEach((resourceClass, amount) -> claimed
                            .computeIfAbsent(claim.host(), key -> new HashMap<>())
                            .merge(resourceClass, amount, Long::sum)));
        }
        return claimed;
    }

    /** Returns whether another instance claimed on one of the two hosts after Berth's choice. */
    private boolean hasLaterClaim(ShadowChoice choice, Claim claim) {
        synchronized (claims) {
            return claims.stream().anyMatch(other -> !other.instance().equals(claim.instance())
                    && other.seenNanos() - choice.decidedNanos() > 0
                    && (other.provider().equals(claim.provider())
                            || choice.best() != null && other.provider().equals(choice.best().uuid())));
        }
    }
}
