package io.berth.scheduler.nova.shadow;

import io.berth.context.OwnContext;
import io.berth.context.Recurring;
import io.berth.scheduler.api.Admission;
import io.berth.scheduler.api.SelectBody;
import io.berth.scheduler.config.service.ConfiguredOptions;
import io.berth.scheduler.decision.SchedulingInputs;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.nova.message.Message;
import io.berth.scheduler.nova.object.SelectCall;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.requestrecord.IdempotencyKey;
import io.berth.scheduler.selection.Destinations;
import io.berth.scheduler.selection.SelectionOutcome;
import io.berth.scheduler.trace.DecisionTrace;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Decides the requests to nova-scheduler as dry runs, that is, without claims. {@link NovaChoices} compares these
 * choices with nova's. Only calls of {@code select_destinations} for which nova claims a host are decided; other calls,
 * such as checks of a rebuild, do not show nova's choice. A call is only counted, and not decided, if more than
 * {@value NovaChoices#WAITING_MAX} instances would then wait for nova's claim.
 */
@Singleton
public class ShadowCalls {
    private static final Logger LOG = Logger.getLogger(ShadowCalls.class);
    private static final String SELECT = "select_destinations";

    private final Destinations destinations;
    private final Admission admission;
    private final NovaChoices choices;
    private final ShadowStore store;
    private final int subsetSize;
    private final Recurring recurring;
    private final Vertx vertx;

    ShadowCalls(
            Destinations destinations,
            Admission admission,
            NovaChoices choices,
            ShadowStore store,
            ConfiguredOptions configured,
            Recurring recurring,
            Vertx vertx) {
        this.destinations = destinations;
        this.admission = admission;
        this.choices = choices;
        this.store = store;
        this.recurring = recurring;
        this.subsetSize = configured.options().filterScheduler().hostSubsetSize();
        this.vertx = vertx;
    }

    /** Starts to watch nova's claims, and to delete old comparisons. Called once, before {@link #run}. */
    public void start() {
        choices.start(recurring);
        store.start(recurring);
    }

    /**
     * Decides a message's request.
     *
     * @param done called once, on an event loop, when the decision was made, skipped or failed
     */
    public void run(Message message, Runnable done) {
        long receivedNanos = System.nanoTime();
        OwnContext.create(vertx).runOnContext(ignored -> Uni.createFrom()
                .deferred(() -> message.namespace() == null && message.method().equals(SELECT)
                        ? select(message, receivedNanos)
                        : Uni.createFrom().voidItem())
                .onFailure().invoke(
                        failure -> LOG.infof("request not compared in shadow mode %s cause=%s", message, failure))
                .subscribe().with(tried -> done.run(), failure -> done.run()));
    }

    private Uni<Void> select(Message message, long receivedNanos) {
        SelectCall call;
        SelectBody read;
        try {
            call = SelectCall.of(message.args());
            read = SelectBody.read(call.body());
        } catch (ApiFault unreadable) {
            LOG.infof("request cannot be read %s cause=%s", message, unreadable.getMessage());
            return store.add(ShadowChoice.ofUnreadableRequest(message).stream()
                    .map(each -> Comparison.without(
                            each, Comparison.Verdict.NOT_COMPARABLE, Comparison.Reason.FAILED, unreadable.getMessage()))
                    .toList());
        }
        RequestSpec spec = read.request().spec();
        if (!read.request().claims() || spec.schedulerHints().asksForRebuildCheck()) {
            return Uni.createFrom().voidItem();
        }
        if (choices.waitingCount() + spec.instanceCount() > NovaChoices.WAITING_MAX) {
            store.dropped().increment(spec.instanceCount());
            return Uni.createFrom().voidItem();
        }
        IdempotencyKey requestKey = read.idempotencyKey(call.body(), null, message.logId());
        DecisionTrace trace = DecisionTrace.of(DecisionTrace.Request.of(
                DecisionTrace.Kind.SHADOW, call.body().toString().getBytes(StandardCharsets.UTF_8),
                requestKey.requestId(), requestKey.instances(), spec));
        return admission
                .admit(() -> destinations.select(
                        read.request().withoutClaims(), requestKey, SchedulingInputs.Detail.COUNTS, trace))
                .map(outcome -> new Trial(outcome instanceof SelectionOutcome.Selected selected ? selected : null,
                        whyNotComparable(outcome)))
                .onFailure().recoverWithItem(failure -> new Trial(null, failure.toString()))
                .chain(trial -> {
                    List<ShadowChoice> shadowChoices =
                            ShadowChoice.of(trial.selected(), spec, trace, subsetSize, receivedNanos);
                    return trial.whyNotComparable() == null
                            ? choices.await(shadowChoices)
                            : store.add(shadowChoices.stream()
                                    .map(each -> Comparison.without(
                                            each, Comparison.Verdict.NOT_COMPARABLE, Comparison.Reason.FAILED,
                                            trial.whyNotComparable()))
                                    .toList());
                });
    }

    /**
     * Berth's decision.
     *
     * @param selected the selected hosts; null if Berth found no host
     * @param whyNotComparable why the decision cannot be compared; null if it can
     */
    private record Trial(@Nullable SelectionOutcome.Selected selected, @Nullable String whyNotComparable) {}

    /** Returns why the outcome is not comparable; null if Berth found a host, or found that no host is suitable. */
    private static @Nullable String whyNotComparable(SelectionOutcome outcome) {
        return switch (outcome) {
            case SelectionOutcome.Selected _, SelectionOutcome.NoCandidates _ -> null;
            case SelectionOutcome.Failed failed -> failed.code() == ErrorCode.NO_VALID_HOST ? null : failed.detail();
            case SelectionOutcome.Refused(var refused) -> refused.error().detail();
            case SelectionOutcome.Repeated _ -> "the request already has a stored response";
        };
    }
}
