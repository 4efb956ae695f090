package io.berth.scheduler.boot;

import io.berth.scheduler.claim.AllocationsText;
import io.berth.scheduler.claim.Attempts;
import io.berth.scheduler.claim.ClaimLoop;
import io.berth.scheduler.claim.ClaimWrite;
import io.berth.scheduler.claim.Claimable;
import io.berth.scheduler.claim.Claiming;
import io.berth.scheduler.claim.Consumer;
import io.berth.scheduler.claim.Grouping;
import io.berth.scheduler.claim.Made;
import io.berth.scheduler.claim.Placing;
import io.berth.scheduler.claim.Releases;
import io.berth.scheduler.claim.Seating;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.lease.OpenWork;
import io.berth.scheduler.placement.AllocationsAnswer;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.berth.scheduler.seat.RefusedSeats;
import io.berth.scheduler.seat.SeatLeft;
import io.berth.scheduler.seat.Seats;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/**
 * The claims of one request under its record. One object per request; its steps run one after the other. A request that
 * has begun must come to {@link #takeBack}, to {@link #letGo} or to one of the ends that say that it is placed.
 */
public final class BootClaims implements Claiming {
    private static final Logger LOG = Logger.getLogger(BootClaims.class);
    private static final double AGAIN_SECONDS = 1;

    private final ClaimLoop loop;
    private final Releases releases;
    private final BootStore store;
    private final Starts starts;
    private final Confirmations confirmations;
    private final Leases leases;
    private final Seats seats;
    private final Asked asked;
    private final UUID token;
    private final ClaimWrite write;
    private final Map<UUID, AllocationsAnswer.Held> held;
    private final Map<UUID, SeatLeft> left;
    private final Supplier<Uni<ApiFault>> placedBefore;
    private final RefusedSeats refusals = new RefusedSeats();
    private boolean begun;
    private boolean mayHold;
    /** Whether a claim of this request had no answer, and another may hold. */
    private boolean isInDoubt;
    /** The server group that its instances take seats in; null for none. */
    private @Nullable UUID group;
    /** Whoever finds the record open takes what is planned for its answer, if that is what is held. */
    private boolean isPlanned;

    /**
     * @param mayHold whether a claim that was made under this record before may still commit
     * @param write what a claim does with that
     * @param held by instance, what it holds already
     * @param left by instance, the seat it leaves if it is in a server group
     * @param placedBefore asked once the record is written: null, or why nothing may be claimed
     */
    BootClaims(
            ClaimLoop loop,
            Releases releases,
            BootStore store,
            Starts starts,
            Confirmations confirmations,
            Leases leases,
            Seats seats,
            Asked asked,
            UUID token,
            boolean mayHold,
            ClaimWrite write,
            Map<UUID, AllocationsAnswer.Held> held,
            Map<UUID, SeatLeft> left,
            Supplier<Uni<ApiFault>> placedBefore) {
        this.loop = loop;
        this.releases = releases;
        this.store = store;
        this.starts = starts;
        this.confirmations = confirmations;
        this.leases = leases;
        this.seats = seats;
        this.asked = asked;
        this.token = token;
        this.mayHold = mayHold;
        this.write = write;
        this.held = held;
        this.left = left;
        this.placedBefore = placedBefore;
    }

    /** Whether the record was written, so that claims may have been made. */
    public boolean hasBegun() {
        return begun;
    }

    @Override
    public boolean isRecorded() {
        return true;
    }

    @Override
    public boolean keepsAnswer() {
        return asked.isAnswered();
    }

    @Override
    public void announce(AllocationRequest first) {
        loop.announce(first, asked.requestId());
    }

    @Override
    public Uni<Boolean> begin(Plan plan) {
        refusals.forget();
        isPlanned = asked.isAnswered() && plan.answer() != null;
        Start start = new Start(
                asked,
                token,
                Resources.render(plan.totals()),
                plan.answer(),
                asked.isAnswered() ? plan.registration() : null,
                kept());
        // Nothing is claimed before it is written: if it was, and nobody heard of that, it goes at once.
        return starts.write(start).onFailure().call(this::end).chain(written -> {
            begun = written.owned() == asked.instances().size();
            if (begun) {
                leases.begin(token, written.sinceNanos());
                return placedBefore.get().map(placed -> {
                    if (placed != null) {
                        throw placed;
                    }
                    return true;
                }).onFailure().call(this::end);
            }
            return written.owned() < 0
                    ? Uni.createFrom().item(false)
                    : store.takenBack(asked.key(), token, 0, AGAIN_SECONDS).replaceWith(false);
        });
    }

    /** Nothing has been claimed. */
    private Uni<Void> end() {
        begun = false;
        leases.end(token);
        return OpenWork.afterLoss(store.takenBack(asked.key(), token, 0, AGAIN_SECONDS))
                // Then its lease ends it.
                .onFailure().recoverWithItem(true)
                .replaceWithVoid();
    }

    /** What stays when the claims go. */
    private @Nullable String kept() {
        return held.isEmpty() || !write.keepsHeld() ? null : held.entrySet().stream()
                .map(each -> "\"" + each.getKey() + "\":" + AllocationsText.render(each.getValue().allocations()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    @Override
    public <H> Uni<Placing<H>> claimFirst(
            Consumer consumer, @Nullable Grouping<H> grouping, List<Claimable<H>> ranked, Attempts<H> attempts) {
        group = grouping == null ? null : grouping.group();
        return loop.claimFirst(
                consumer,
                heldBy(consumer.uuid()),
                write,
                grouping == null ? null : seating(grouping, consumer.uuid()),
                ranked,
                attempts,
                new Turn())
                .invoke(placing -> isInDoubt |= placing.inDoubt());
    }

    private final class Turn implements ClaimLoop.Turn {
        @Override
        public boolean isSure() {
            return leases.isSure(token);
        }

        @Override
        public Uni<Boolean> mayGoOn() {
            return isPlanned ? leavePlan() : Uni.createFrom().item(true);
        }

        @Override
        public boolean mayHold() {
            return mayHold;
        }
    }

    /** False where somebody has taken what was claimed for the answer, or the boot over. */
    private Uni<Boolean> leavePlan() {
        return store.leavePlan(asked.key(), token).invoke(left -> isPlanned = isPlanned && !left);
    }

    private <H> Seating<H> seating(Grouping<H> grouping, UUID instance) {
        return refusals.before(
                seats.seating(grouping, instance, asked.key(), left.get(instance)), grouping.name());
    }

    private AllocationsAnswer.Held heldBy(UUID instance) {
        return held.getOrDefault(instance, AllocationsAnswer.Held.NOTHING);
    }

    @Override
    public Uni<Void> takeBack(List<Made> claims, boolean inDoubt) {
        mayHold |= inDoubt;
        if (!begun) {
            return Uni.createFrom().voidItem();
        }
        // Not before it is sure that nobody has been told of them.
        return OpenWork.afterLoss(leavePlan())
                .chain(ours -> ours ? release(claims, Leases.doubtSeconds(inDoubt)) : Uni.createFrom().voidItem())
                .onFailure().invoke(failure -> LOG.warnf(
                        "boot left open until its lease is over key=%s request=%s cause=%s",
                        asked.key(), asked.requestId(), failure))
                .onFailure().recoverWithNull()
                .invoke(() -> leases.end(token));
    }

    private Uni<Void> release(List<Made> claims, double doubtSeconds) {
        return Multi.createFrom().iterable(claims)
                .onItem().transformToUniAndConcatenate(this::release)
                .collect().asList()
                .map(Releases.Outcome::of)
                .chain(came -> came == Releases.Outcome.DONE
                        ? store.takenBack(asked.key(), token, doubtSeconds, AGAIN_SECONDS).replaceWithVoid()
                        : store.postpone(asked.key(), token, doubtSeconds, AGAIN_SECONDS, true, came));
    }

    private Uni<Releases.Outcome> release(Made made) {
        AllocationsAnswer.Held before = heldBy(made.consumer().uuid());
        return releases.takeBack(
                made.consumer().uuid(),
                write.after(before, made.request()).allocations()::equals,
                write.keepsHeld() ? before.allocations() : Map.of(),
                () -> store.mayRelease(token),
                asked.requestId());
    }

    /** Releases what the instance held before, when no claim replaced it. A lost response ends the request. */
    public Uni<Releases.Outcome> releaseHeld(Consumer consumer) {
        return releases.takeBack(
                consumer.uuid(),
                heldBy(consumer.uuid()).allocations()::equals,
                Map.of(),
                () -> store.mayRelease(token),
                consumer.requestId())
                .call(came -> switch (came) {
                    case DONE -> store.released(token);
                    case AGAIN -> Uni.createFrom().voidItem();
                    case UNHEARD -> store.postpone(asked.key(), token, 0, AGAIN_SECONDS, true, came)
                            .invoke(() -> leases.end(token));
                });
    }

    /** Whoever works on it has given up half way: the record is due when its lease is over, and taken back then. */
    public void letGo() {
        leases.end(token);
    }

    /** Nobody waits for the record, as long as the lease was kept and no other claim may still commit. */
    @Override
    public boolean asPlanned() {
        if (!isPlanned || isInDoubt || mayHold || !leases.isSure(token)) {
            return false;
        }
        confirmations.add(asked.key(), token);
        return true;
    }

    @Override
    public Uni<Boolean> placed(String answer, List<String> registrations) {
        // Who registers the instance joins its group, too: until then it has its seat.
        Uni<Boolean> written = asked.isAnswered()
                ? seats.join(group, asked.instances(), store.placed(
                        asked.key(), token, answer, asked.instances(), registrations, group != null, Leases.doubtSeconds(isInDoubt)))
                : store.placed(asked.key(), token, null, List.of(), List.of(), false, Leases.doubtSeconds(isInDoubt));
        return written.invoke(() -> leases.end(token));
    }

    /** As {@link #placed}, for an instance that goes on to another host. */
    public Uni<Boolean> rescheduled(String answer, String place) {
        return seats.join(group, asked.instances(), store.rescheduled(
                asked.key(), token, answer, asked.instances().getFirst(), place, group != null, Leases.doubtSeconds(isInDoubt)))
                .invoke(() -> leases.end(token));
    }
}
