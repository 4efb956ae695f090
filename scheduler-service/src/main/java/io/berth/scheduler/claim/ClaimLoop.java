package io.berth.scheduler.claim;

import io.berth.database.SqlFault;
import io.berth.scheduler.placement.AllocationsAnswer;
import io.berth.scheduler.placement.ClaimResult;
import io.berth.scheduler.placement.PlacementClient;
import io.berth.scheduler.placement.SettlementResult;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Walks down a ranked list and claims until one claim holds. One claim at a time; none is started after the first
 * success. Hosts behind are never touched, and of each no more candidates are tried than the caller names.
 *
 * <p>A member of a server group takes its seat on a host before it claims there; a seat that is refused means the next
 * host, too.
 *
 * <p>A claim without an answer is read back before anything else is tried. Found absent, it is made once more, and then
 * the next: the {@value #UNANSWERED_MAX}rd without an answer ends the walk. It may still commit late: then the next claim
 * of the same consumer is refused, and the loop recognises its own earlier one. A claim with a number is settled instead,
 * so that it is known whether it holds; one that does not can never commit.
 * <br>Source: nova {@code scheduler/manager.py} (_claim_resources); the doubt is Berth's own care.
 */
@Singleton
public class ClaimLoop {
    /** Whoever writes where nothing that is written is answered only leaves more that may commit late. */
    private static final int UNANSWERED_MAX = 3;
    private static final int READ_BACK_ATTEMPTS_MAX = 3;
    private static final Duration READ_BACK_PAUSE = Duration.ofMillis(200);

    private final PlacementClient placement;

    public ClaimLoop(PlacementClient placement) {
        this.placement = placement;
    }

    /** Whose request it is, for as long as nobody else takes it over. */
    public interface Turn {
        /** Asked before each seat and claim. */
        boolean isSure();

        /** Before another claim than the first is tried: false if that must not be. */
        default Uni<Boolean> mayGoOn() {
            return Uni.createFrom().item(true);
        }

        /** Whether a claim that was made for it before this walk may still commit. */
        default boolean mayHold() {
            return false;
        }

        /** The next number for a write of the request; null for one whose writes have none. */
        default @Nullable Long nextNumber() {
            return null;
        }

        /** Placement has seen a higher number for the consumer than the request has. */
        default Uni<Void> fenced(long fence) {
            return Uni.createFrom().voidItem();
        }
    }

    /** Others of this moment count this claim, which will be the first of that request, from now on. */
    public void announce(AllocationRequest first, String requestId) {
        placement.announce(first, requestId);
    }

    /**
     * @param held what the consumer holds, as read
     * @param write what becomes of that when a claim holds
     * @param seating of a member of a server group, asked before each host; else null
     * @param attempts is told of each
     */
    public <H> Uni<Placing<H>> claimFirst(
            Consumer consumer,
            AllocationsAnswer.Held held,
            ClaimWrite write,
            @Nullable Seating<H> seating,
            List<Claimable<H>> ranked,
            Attempts<H> attempts,
            Turn turn) {
        return Uni.createFrom().deferred(() -> new Walk<H>(consumer, held, write, seating, attempts, turn).run(ranked));
    }

    /** One walk; its steps run one after the other. */
    private final class Walk<H> {
        private final Consumer consumer;
        private AllocationsAnswer.Held before;
        private final ClaimWrite write;
        private final @Nullable Seating<H> seating;
        private final Attempts<H> told;
        private final Turn turn;
        private final List<Placing.Selected<H>> unanswered = new ArrayList<>();
        /** Requests whose claims had no response, and do not hold: with numbers. */
        private final List<AllocationRequest> lost = new ArrayList<>();
        private int attempts;
        private boolean hasClaimed;
        private String lastRefusal = "";

        Walk(
                Consumer consumer,
                AllocationsAnswer.Held before,
                ClaimWrite write,
                @Nullable Seating<H> seating,
                Attempts<H> told,
                Turn turn) {
            this.consumer = consumer;
            this.before = before;
            this.write = write;
            this.seating = seating;
            this.told = told;
            this.turn = turn;
        }

        Uni<Placing<H>> run(List<Claimable<H>> ranked) {
            return Multi.createFrom().iterable(ranked)
                    .onItem().transformToUniAndConcatenate(this::tryHost)
                    .select().where(Optional::isPresent)
                    .map(Optional::get)
                    .toUni()
                    .onItem().ifNull().continueWith(
                            () -> !lost.isEmpty() ? withoutPlacement() : unanswered.isEmpty()
                                    ? new Placing.NoneLeft<>(attempts, lastRefusal)
                                    : new Placing.InDoubt<>(
                                            unanswered.getLast().request(),
                                            "a claim had no answer, and no other holds; the last: " + lastRefusal))
                    // Who gets no seat for want of a lock may hold all the same what had no answer.
                    .onFailure(failure -> !unanswered.isEmpty() && SqlFault.of(failure).isPassing())
                    .recoverWithItem(failure -> new Placing.InDoubt<>(
                            unanswered.getLast().request(),
                            "a claim had no answer; then the database " + SqlFault.of(failure).why()));
        }

        /** Empty means: try the next host. */
        private Uni<Optional<Placing<H>>> tryHost(Claimable<H> host) {
            if (seating == null || !turn.isSure()) {
                return claim(host);
            }
            List<H> mayHold = unanswered.stream().map(Placing.Selected::host).toList();
            return seating.take(host.host(), mayHold).chain(seated -> switch (seated) {
                case Seating.Seated.Taken _ -> claim(host);
                case Seating.Seated.Refused(String why, boolean everywhereElse) when everywhereElse -> {
                    told.tried(host.host(), host.requests().getFirst(), Attempts.Came.SEAT_REFUSED, why);
                    // Nothing is decided anew while one may still commit.
                    yield end(unanswered.isEmpty()
                            ? new Placing.GroupElsewhere<>(why)
                            : new Placing.InDoubt<>(
                                    unanswered.getLast().request(), "a claim had no answer; then " + why));
                }
                case Seating.Seated.Refused(String why, boolean _) -> {
                    attempts++;
                    yield next(host.host(), host.requests().getFirst(), Attempts.Came.SEAT_REFUSED, why);
                }
            });
        }

        private Uni<Optional<Placing<H>>> claim(Claimable<H> host) {
            return host.requests().size() == 1
                    ? tryOne(host.host(), host.requests().getFirst())
                    : Multi.createFrom().iterable(host.requests())
                            .onItem().transformToUniAndConcatenate(request -> tryOne(host.host(), request))
                            .select().where(Optional::isPresent)
                            .toUni()
                            .onItem().ifNull().continueWith(Optional::empty);
        }

        /** Empty means: try the next candidate. */
        private Uni<Optional<Placing<H>>> tryOne(H host, AllocationRequest request) {
            if (!turn.isSure()) {
                return overtaken();
            }
            return hasClaimed
                    ? turn.mayGoOn().chain(may -> may ? claimOne(host, request) : overtaken())
                    : claimOne(host, request);
        }

        private Uni<Optional<Placing<H>>> overtaken() {
            return end(new Placing.Overtaken<>(!unanswered.isEmpty()));
        }

        private Uni<Optional<Placing<H>>> claimOne(H host, AllocationRequest request) {
            attempts++;
            hasClaimed = true;
            Placing.Selected<H> selected = new Placing.Selected<>(host, request, !unanswered.isEmpty());
            Long number = turn.nextNumber();
            return placement
                    .claim(write.claims(consumer, before, request), number, consumer.requestId())
                    .chain(result -> switch (result) {
                        case ClaimResult.Claimed _ -> {
                            told.tried(host, request, Attempts.Came.CLAIMED, "");
                            yield end(selected);
                        }
                        case ClaimResult.Denied denied -> {
                            told.tried(host, request, Attempts.Came.DENIED, denied.why());
                            yield end(new Placing.Denied<>(denied, !unanswered.isEmpty()));
                        }
                        case ClaimResult.Refused refused ->
                            next(host, request, Attempts.Came.REFUSED, refused.detail());
                        case ClaimResult.ProvidersBusy busy -> next(
                                host, request, Attempts.Came.PROVIDERS_BUSY,
                                "providers kept changing through " + busy.attempts() + " attempts");
                        case ClaimResult.Fenced(long fence) ->
                            turn.fenced(fence).chain(() -> end(new Placing.Overtaken<>(false)));
                        case ClaimResult.Unreachable(String why) when number != null -> settle(selected, number, why);
                        case ClaimResult.Unreachable(String why) -> {
                            unanswered.add(selected);
                            yield readBack(why);
                        }
                        case ClaimResult.ConsumerChanged changed -> unanswered.isEmpty()
                                && changed.isEmptyConsumer()
                                && before.consumerGeneration() == null
                                        ? claimAsIs(host, request, changed)
                                        : changed(host, request, changed);
                    });
        }

        /**
         * Finds out whether a claim without a response holds. If it does not, it never will: it is made once more, and then the
         * next one is tried.
         */
        private Uni<Optional<Placing<H>>> settle(Placing.Selected<H> claim, long number, String why) {
            Long next = turn.nextNumber();
            return repeated(
                    () -> placement.settle(next, List.of(consumer.uuid()), consumer.requestId()),
                    result -> !(result instanceof SettlementResult.Unreachable))
                    .chain(result -> switch (result) {
                        case SettlementResult.Settled(var consumers) when consumers.get(consumer.uuid()).isWrittenBy(number, number) -> {
                            told.tried(claim.host(), claim.request(), Attempts.Came.CLAIMED_UNANSWERED, "");
                            yield end(claim);
                        }
                        case SettlementResult.Settled _ -> afterLoss(claim, why);
                        case SettlementResult.Fenced(long fence) ->
                            turn.fenced(fence).chain(() -> end(new Placing.Overtaken<>(true)));
                        case SettlementResult.Unreachable(String then) -> {
                            told.tried(claim.host(), claim.request(), Attempts.Came.NO_ANSWER, why);
                            yield end(new Placing.InDoubt<>(claim.request(), why + "; then " + then));
                        }
                    });
        }

        private Uni<Optional<Placing<H>>> afterLoss(Placing.Selected<H> claim, String why) {
            boolean isRepeated = lost.contains(claim.request());
            lost.add(claim.request());
            var next = next(claim.host(), claim.request(), Attempts.Came.NO_ANSWER, why);
            return lost.size() == UNANSWERED_MAX
                    ? end(withoutPlacement())
                    : isRepeated ? next : claimOne(claim.host(), claim.request());
        }

        /** Nothing is held, and a host whose claim had no response may have room. */
        private Placing<H> withoutPlacement() {
            return new Placing.Denied<>(new ClaimResult.Denied(503, "placement does not answer: " + lastRefusal), false);
        }

        /**
         * Another Placement leaves a consumer that holds nothing behind where a claim names a provider that is gone, and
         * shows its generation to nobody. While a claim of ours may be on its way it is left alone: if that one made the
         * consumer, it deletes it when it is refused, with whatever it holds by then.
         */
        private Uni<Optional<Placing<H>>> claimAsIs(
                H host, AllocationRequest request, ClaimResult.ConsumerChanged changed) {
            if (turn.mayHold()) {
                return end(new Placing.InDoubt<>(request, changed.detail()));
            }
            return pause(1).chain(this::read).chain(answer -> {
                if (!isAsBefore(answer)) {
                    return changed(host, request, changed);
                }
                before = new AllocationsAnswer.Held(
                        before.allocations(), changed.generation(), before.projectId(), before.userId());
                return repeat(host, request);
            });
        }

        private Uni<Optional<Placing<H>>> changed(
                H host, AllocationRequest request, ClaimResult.ConsumerChanged changed) {
            told.tried(host, request, Attempts.Came.CONSUMER_CHANGED, changed.detail());
            return unanswered.isEmpty()
                    ? end(new Placing.Aborted<>(changed.detail()))
                    : recognise(changed.detail());
        }

        private boolean isAsBefore(AllocationsAnswer answer) {
            return answer instanceof AllocationsAnswer.Held held && held.allocations().equals(before.allocations());
        }

        private Uni<Optional<Placing<H>>> readBack(String why) {
            Placing.Selected<H> lastOne = unanswered.getLast();
            return read().chain(answer -> switch (answer) {
                case AllocationsAnswer.Held _ when isAsBefore(answer) -> {
                    var next = next(lastOne.host(), lastOne.request(), Attempts.Came.NO_ANSWER, why);
                    yield unanswered.size() == UNANSWERED_MAX
                            ? end(new Placing.InDoubt<>(
                                    lastOne.request(), UNANSWERED_MAX + " claims had no answer, the last: " + why))
                            : isRepeated(lastOne) ? next : repeat(lastOne.host(), lastOne.request());
                }
                case AllocationsAnswer.Held held -> end(ownOr(held, why));
                case AllocationsAnswer.Unreachable lost -> {
                    told.tried(lastOne.host(), lastOne.request(), Attempts.Came.NO_ANSWER, why);
                    yield end(new Placing.InDoubt<>(lastOne.request(), why + "; then " + lost.why()));
                }
            });
        }

        private boolean isRepeated(Placing.Selected<H> claim) {
            return unanswered.stream().filter(each -> each.request() == claim.request()).count() > 1;
        }

        private Uni<Optional<Placing<H>>> repeat(H host, AllocationRequest request) {
            return turn.isSure() ? claimOne(host, request) : overtaken();
        }

        /** The consumer exists by now: by a claim of ours that committed late or is about to, or by somebody else's. */
        private Uni<Optional<Placing<H>>> recognise(String detail) {
            return read().chain(answer -> switch (answer) {
                case AllocationsAnswer.Held _ when isAsBefore(answer) ->
                    end(new Placing.InDoubt<>(unanswered.getLast().request(), detail));
                case AllocationsAnswer.Held held -> end(ownOr(held, detail));
                case AllocationsAnswer.Unreachable lost ->
                    end(new Placing.InDoubt<>(unanswered.getLast().request(), detail + "; then " + lost.why()));
            });
        }

        private Placing<H> ownOr(AllocationsAnswer.Held held, String detail) {
            for (Placing.Selected<H> claim : unanswered) {
                if (write.after(before, claim.request()).allocations().equals(held.allocations())) {
                    told.tried(claim.host(), claim.request(), Attempts.Came.CLAIMED_UNANSWERED, "");
                    return new Placing.Selected<>(claim.host(), claim.request(), unanswered.size() > 1);
                }
            }
            return new Placing.Aborted<>(detail);
        }

        private Uni<AllocationsAnswer> read() {
            return repeated(
                    () -> placement.getAllocations(consumer.uuid(), consumer.requestId()),
                    answer -> answer instanceof AllocationsAnswer.Held);
        }

        private Uni<Optional<Placing<H>>> end(Placing<H> placing) {
            return Uni.createFrom().item(Optional.of(placing));
        }

        private Uni<Optional<Placing<H>>> next(
                H host, AllocationRequest request, Attempts.Came came, String refusal) {
            told.tried(host, request, came, refusal);
            lastRefusal = refusal;
            return Uni.createFrom().item(Optional.empty());
        }
    }

    /** The first result that will do, else the last of {@value #READ_BACK_ATTEMPTS_MAX}. */
    private static <T> Uni<T> repeated(Supplier<Uni<T>> call, Predicate<T> willDo) {
        return repeated(call, willDo, 0);
    }

    private static <T> Uni<T> repeated(Supplier<Uni<T>> call, Predicate<T> willDo, int attempt) {
        return pause(attempt).chain(() -> call.get()).chain(result -> willDo.test(result) || attempt + 1 == READ_BACK_ATTEMPTS_MAX
                ? Uni.createFrom().item(result)
                : repeated(call, willDo, attempt + 1));
    }

    private static Uni<Void> pause(int attempt) {
        Uni<Void> now = Uni.createFrom().voidItem();
        return attempt == 0 ? now : now.onItem().delayIt().by(READ_BACK_PAUSE);
    }
}
