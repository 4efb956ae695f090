package io.berth.scheduler.placement;

import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.smallrye.mutiny.Uni;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * In-memory placement for tests, with one resource class per provider, consumer generations and capacity. It can lose
 * responses. Not thread-safe.
 */
public class InMemoryPlacement implements PlacementClient {
    /** Outcomes of the next writing calls, in order. Without an entry, a call gets its response. */
    public enum Fate {
        ANSWERED,
        /** The claim commits; its response is lost. */
        LOST_AFTER_COMMIT,
        /** The claim never arrives. */
        LOST_BEFORE,
        /** The claim commits after the next reading call. */
        LATE,
        /** Concurrent changes of a provider used up all attempts. */
        BUSY,
        /** The request itself is refused. */
        DENIED
    }

    private record Write(List<Claim> claims, Long number) {}

    private final Map<String, Long> freeByProvider = new HashMap<>();
    private final Map<UUID, AllocationsResult.Allocations> held = new HashMap<>();
    private final Deque<Fate> fates = new ArrayDeque<>();
    private final List<String> calls = new ArrayList<>();
    /** Highest number of a write or a settlement, by consumer. */
    private final Map<UUID, Long> fences = new HashMap<>();
    /** Number of the last write, by consumer. */
    private final Map<UUID, Long> writtenBy = new HashMap<>();
    private Supplier<ClaimResult> late;
    private boolean latesArriveOnRead = true;
    private boolean readable = true;

    public InMemoryPlacement with(String provider, long free) {
        freeByProvider.put(provider, free);
        return this;
    }

    public InMemoryPlacement next(Fate... next) {
        fates.addAll(List.of(next));
        return this;
    }

    /** Makes late claims wait for {@link #arriveLate}. */
    public InMemoryPlacement holdingBack() {
        latesArriveOnRead = false;
        return this;
    }

    public InMemoryPlacement unreadable() {
        readable = false;
        return this;
    }

    public InMemoryPlacement readableAgain() {
        readable = true;
        return this;
    }

    public List<String> calls() {
        return calls;
    }

    public Map<String, Map<String, Long>> heldBy(UUID consumer) {
        return heldNow(consumer).allocations();
    }

    public AllocationsResult.Allocations heldNow(UUID consumer) {
        return held.getOrDefault(consumer, AllocationsResult.Allocations.NOTHING);
    }

    @Override
    public Uni<CandidatesResult> allocationCandidates(String queryString, String requestId) {
        throw new UnsupportedOperationException("claims only");
    }

    @Override
    public Uni<AllocationsResult> getAllocations(UUID consumer, String requestId) {
        calls.add("GET");
        if (!readable) {
            return Uni.createFrom().item(new AllocationsResult.Unreachable("cable cut"));
        }
        AllocationsResult answer =
                heldBy(consumer).isEmpty() ? AllocationsResult.Allocations.NOTHING : heldNow(consumer);
        if (late != null && latesArriveOnRead) {
            arriveLate();
        }
        return Uni.createFrom().item(answer);
    }

    @Override
    public Uni<ClaimResult> claim(List<Claim> claims, AllocationRequest counted, Long number, String requestId) {
        calls.add(claims.size() == 1
                ? "PUT " + String.join("+", claims.getFirst().request().allocations().keySet())
                : "POST " + claims.size());
        return happen(new Write(claims, number));
    }

    @Override
    public Uni<SettlementResult> settle(long number, List<UUID> consumers, String requestId) {
        calls.add("SETTLE " + consumers.size());
        if (!readable) {
            return Uni.createFrom().item(new SettlementResult.Unreachable("cable cut"));
        }
        for (UUID consumer : consumers) {
            if (fences.getOrDefault(consumer, 0L) > number) {
                return Uni.createFrom().item(new SettlementResult.Fenced(fences.get(consumer)));
            }
        }
        Map<UUID, SettlementResult.SettledConsumer> settled = new HashMap<>();
        for (UUID consumer : consumers) {
            fences.put(consumer, number);
            settled.put(consumer, new SettlementResult.SettledConsumer(heldNow(consumer), writtenBy.get(consumer)));
        }
        return Uni.createFrom().item(new SettlementResult.Settled(settled));
    }

    @Override
    public Uni<SettlementResult> undo(long number, long first, long last, List<Claim> restored, String requestId) {
        calls.add("UNDO " + restored.size());
        if (!readable) {
            return Uni.createFrom().item(new SettlementResult.Unreachable("cable cut"));
        }
        Fate fate = fates.isEmpty() ? Fate.ANSWERED : fates.poll();
        if (fate == Fate.LATE) {
            late = () -> undone(number, first, last, restored) instanceof SettlementResult.Fenced(long fence)
                    ? new ClaimResult.Fenced(fence)
                    : new ClaimResult.Claimed(restored.getFirst().consumer());
            return Uni.createFrom().item(new SettlementResult.Unreachable("answer late"));
        }
        SettlementResult result = undone(number, first, last, restored);
        return Uni.createFrom().item(
                fate == Fate.ANSWERED ? result : new SettlementResult.Unreachable("answer lost"));
    }

    private SettlementResult undone(long number, long first, long last, List<Claim> restored) {
        List<UUID> consumers = restored.stream().map(Claim::consumer).toList();
        SettlementResult settled = settle(number, consumers, "req-undo").await().indefinitely();
        if (settled instanceof SettlementResult.Settled(var before)) {
            List<Claim> claims = restored.stream()
                    .filter(claim -> before.get(claim.consumer()).isWrittenBy(first, last))
                    .map(claim -> Claim.replacing(
                            claim.consumer(), heldNow(claim.consumer()), claim.request().allocations()))
                    .toList();
            ClaimResult written = claims.isEmpty() ? null : writeAll(new Write(claims, null));
            if (written instanceof ClaimResult.Refused refused) {
                return new SettlementResult.UndoRefused(refused.detail());
            }
            claims.forEach(claim -> writtenBy.put(claim.consumer(), number));
        }
        return settled;
    }

    private Uni<ClaimResult> happen(Write claims) {
        Fate fate = fates.isEmpty() ? Fate.ANSWERED : fates.poll();
        ClaimResult result = switch (fate) {
            case ANSWERED -> writeAll(claims);
            case LOST_AFTER_COMMIT -> {
                writeAll(claims);
                yield new ClaimResult.Unreachable("answer lost");
            }
            case LOST_BEFORE -> new ClaimResult.Unreachable("request lost");
            case LATE -> {
                late = () -> writeAll(claims);
                yield new ClaimResult.Unreachable("answer late");
            }
            case DENIED -> new ClaimResult.Denied(400, "project_id is too long");
            case BUSY -> new ClaimResult.ProvidersBusy(CLAIM_ATTEMPTS_MAX);
        };
        return Uni.createFrom().item(result);
    }

    /** Writes all claims or none. What the consumers hold is freed before anything is claimed. */
    private ClaimResult writeAll(Write all) {
        List<Claim> claims = all.claims();
        if (all.number() != null) {
            if (claims.stream().allMatch(claim -> all.number().equals(writtenBy.get(claim.consumer())))) {
                return new ClaimResult.Claimed(claims.getFirst().consumer());
            }
            for (Claim claim : claims) {
                long fence = fences.getOrDefault(claim.consumer(), 0L);
                if (fence >= all.number()) {
                    return new ClaimResult.Fenced(fence);
                }
            }
        }
        Map<String, Long> freeBefore = new HashMap<>(freeByProvider);
        Map<UUID, AllocationsResult.Allocations> heldBefore = new HashMap<>(held);
        ClaimResult result = new ClaimResult.Claimed(claims.getFirst().consumer());
        claims.forEach(claim -> heldNow(claim.consumer()).allocations().forEach(
                (provider, amounts) -> freeByProvider.merge(provider, sum(amounts), Long::sum)));
        for (Claim claim : claims) {
            result = write(claim);
            if (!(result instanceof ClaimResult.Claimed)) {
                freeByProvider.clear();
                freeByProvider.putAll(freeBefore);
                held.clear();
                held.putAll(heldBefore);
                return result;
            }
        }
        for (Claim claim : claims) {
            writtenBy.put(claim.consumer(), all.number());
            if (all.number() != null) {
                fences.put(claim.consumer(), all.number());
            }
        }
        return result;
    }

    /** Lets a claim that is {@link Fate#LATE} arrive now. */
    public ClaimResult arriveLate() {
        ClaimResult result = late.get();
        late = null;
        return result;
    }

    private ClaimResult write(Claim claim) {
        AllocationsResult.Allocations before =
                held.getOrDefault(claim.consumer(), AllocationsResult.Allocations.NOTHING);
        if (!Objects.equals(before.consumerGeneration(), claim.consumerGeneration())) {
            return new ClaimResult.ConsumerChanged(
                    claim.consumer(), before.consumerGeneration(), "consumer generation conflict");
        }
        for (var provider : claim.request().allocations().entrySet()) {
            if (freeByProvider.getOrDefault(provider.getKey(), 0L) < sum(provider.getValue())) {
                return new ClaimResult.Refused("placement.undefined_code", provider.getKey() + " is full");
            }
        }
        claim.request().allocations().forEach(
                (provider, amounts) -> freeByProvider.merge(provider, -sum(amounts), Long::sum));
        if (claim.request().allocations().isEmpty()) {
            held.remove(claim.consumer());
        } else {
            long generation = before.consumerGeneration() == null ? 1 : before.consumerGeneration() + 1;
            held.put(
                    claim.consumer(),
                    new AllocationsResult.Allocations(
                            claim.request().allocations(), generation, claim.projectId(), claim.userId()));
        }
        return new ClaimResult.Claimed(claim.consumer());
    }

    private static long sum(Map<String, Long> amounts) {
        return amounts.values().stream().mapToLong(Long::longValue).sum();
    }

    @Override
    public Uni<ReleaseResult> deleteAllocations(UUID consumer, Long number, String requestId) {
        calls.add("DELETE");
        long fence = fences.getOrDefault(consumer, 0L);
        if (number != null && fence >= number) {
            return Uni.createFrom().item(new ReleaseResult.Fenced(fence));
        }
        AllocationsResult.Allocations before = held.remove(consumer);
        if (before == null) {
            return Uni.createFrom().item(new ReleaseResult.NothingHeld());
        }
        writtenBy.put(consumer, number);
        if (number != null) {
            fences.put(consumer, number);
        }
        before.allocations().forEach((provider, amounts) -> freeByProvider.merge(provider, sum(amounts), Long::sum));
        return Uni.createFrom().item(new ReleaseResult.Released());
    }

    /** Deletes the allocations without a fence, like a client other than Berth. */
    public void deletePlainly(UUID consumer) {
        deleteAllocations(consumer, null, "req-plain").await().indefinitely();
    }

    @Override
    public Uni<ProvidersResult> findProviders(String queryString, String requestId) {
        throw new UnsupportedOperationException("claims only");
    }

    @Override
    public Uni<ProvidersResult> listProviders(String requestId) {
        throw new UnsupportedOperationException("claims only");
    }
}
