package io.berth.scheduler.placement;

import io.smallrye.mutiny.Uni;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * A placement of one resource class per provider, with consumer generations and capacity, that loses answers when told
 * to. Single-threaded.
 */
public class InMemoryPlacement implements PlacementClient {
    /** What happens to the next writing calls, in order; none left means: answered. */
    public enum Fate {
        ANSWERED,
        /** The claim commits, its answer is lost. */
        LOST_AFTER_COMMIT,
        /** The claim never arrives. */
        LOST_BEFORE,
        /** The claim commits after the next reading call. */
        LATE,
        /** As {@link #LATE}, but the consumer is there at once, as OpenStack's Placement writes it. */
        CONSUMER_FIRST,
        /** A provider changed underneath until all attempts were used up. */
        BUSY,
        /** The request itself is refused. */
        DENIED
    }

    private record Write(List<Claim> claims, Long number) {}

    private final Map<String, Long> freeByProvider = new HashMap<>();
    private final Map<UUID, AllocationsAnswer.Held> held = new HashMap<>();
    private final Deque<Fate> fates = new ArrayDeque<>();
    private final List<String> calls = new ArrayList<>();
    /** By consumer: the highest number of a write or a settlement, and the number of the last write. */
    private final Map<UUID, Long> fences = new HashMap<>();
    private final Map<UUID, Long> writtenBy = new HashMap<>();
    private Write late;
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

    /** Late claims wait for {@link #arriveLate}. */
    public InMemoryPlacement holdingBack() {
        latesArriveOnRead = false;
        return this;
    }

    /** As OpenStack's Placement leaves one behind that was refused for a provider that is gone: nobody is shown its generation. */
    public InMemoryPlacement withEmptyConsumer(UUID consumer) {
        held.put(consumer, new AllocationsAnswer.Held(Map.of(), 0L, null, null));
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

    public AllocationsAnswer.Held heldNow(UUID consumer) {
        return held.getOrDefault(consumer, AllocationsAnswer.Held.NOTHING);
    }

    @Override
    public Uni<CandidatesAnswer> allocationCandidates(String queryString, String requestId) {
        throw new UnsupportedOperationException("claims only");
    }

    @Override
    public Uni<AllocationsAnswer> getAllocations(UUID consumer, String requestId) {
        calls.add("GET");
        if (!readable) {
            return Uni.createFrom().item(new AllocationsAnswer.Unreachable("cable cut"));
        }
        AllocationsAnswer answer = heldBy(consumer).isEmpty() ? AllocationsAnswer.Held.NOTHING : heldNow(consumer);
        if (late != null && latesArriveOnRead) {
            arriveLate();
        }
        return Uni.createFrom().item(answer);
    }

    @Override
    public Uni<ClaimResult> claim(List<Claim> claims, Long number, String requestId) {
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
        Map<UUID, SettlementResult.Consumer> settled = new HashMap<>();
        for (UUID consumer : consumers) {
            fences.put(consumer, number);
            settled.put(consumer, new SettlementResult.Consumer(heldNow(consumer), writtenBy.get(consumer)));
        }
        return Uni.createFrom().item(new SettlementResult.Settled(settled));
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
                late = claims;
                yield new ClaimResult.Unreachable("answer late");
            }
            case CONSUMER_FIRST -> {
                Claim claim = claims.claims().getFirst();
                withEmptyConsumer(claim.consumer());
                late = new Write(
                        List.of(new Claim(claim.consumer(), claim.request(), 0L, claim.projectId(), claim.userId())), null);
                yield new ClaimResult.Unreachable("answer late");
            }
            case DENIED -> new ClaimResult.Denied(400, "project_id is too long");
            case BUSY -> new ClaimResult.ProvidersBusy(CLAIM_ATTEMPTS_MAX);
        };
        return Uni.createFrom().item(result);
    }

    /** All or none; what the consumers give up is free before anything is taken. */
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
        Map<UUID, AllocationsAnswer.Held> heldBefore = new HashMap<>(held);
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
        ClaimResult result = writeAll(late);
        late = null;
        return result;
    }

    private ClaimResult write(Claim claim) {
        AllocationsAnswer.Held before = held.getOrDefault(claim.consumer(), AllocationsAnswer.Held.NOTHING);
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
                    new AllocationsAnswer.Held(
                            claim.request().allocations(), generation, claim.projectId(), claim.userId()));
        }
        return new ClaimResult.Claimed(claim.consumer());
    }

    private static long sum(Map<String, Long> amounts) {
        return amounts.values().stream().mapToLong(Long::longValue).sum();
    }

    @Override
    public Uni<ReleaseResult> deleteAllocations(UUID consumer, String requestId) {
        calls.add("DELETE");
        AllocationsAnswer.Held before = held.remove(consumer);
        if (before == null) {
            return Uni.createFrom().item(new ReleaseResult.NothingHeld());
        }
        writtenBy.remove(consumer);
        before.allocations().forEach((provider, amounts) -> freeByProvider.merge(provider, sum(amounts), Long::sum));
        return Uni.createFrom().item(new ReleaseResult.Released());
    }

    @Override
    public Uni<ProvidersAnswer> findProviders(String queryString, String requestId) {
        throw new UnsupportedOperationException("claims only");
    }

    @Override
    public Uni<ProvidersAnswer> listProviders(String requestId) {
        throw new UnsupportedOperationException("claims only");
    }
}
