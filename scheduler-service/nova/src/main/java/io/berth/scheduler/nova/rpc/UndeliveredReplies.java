package io.berth.scheduler.nova.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.nova.database.BuildProgress;
import io.berth.scheduler.nova.database.NovaRegistry;
import io.berth.scheduler.nova.message.Message;
import io.berth.scheduler.requestrecord.IdempotencyKey;
import io.berth.scheduler.requestrecord.RequestRecords;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jboss.logging.Logger;

/**
 * Rolls back the claims of a call whose caller did not get the reply, or gave up before the reply. If no queue accepted
 * the reply, this is certain. Otherwise, nova's databases show whether the caller got the reply: the instances then
 * arrive on their hosts, or have a task. Without nova's databases, this is unknown, and the claims stay, as in
 * nova-scheduler.
 */
@Singleton
class UndeliveredReplies {
    private static final Logger LOG = Logger.getLogger(UndeliveredReplies.class);
    /** The pause between two checks. */
    private static final Duration PAUSE = Duration.ofSeconds(5);
    /**
     * The number of checks after the first one; their pauses take a minute in total. If an instance still waits then, a
     * service of nova is working on it, or the databases do not respond, and the claims stay. They also stay if another
     * request still prevents the rollback.
     */
    private static final int FURTHER_CHECKS_MAX = 12;

    private final RequestRecords requestRecords;
    private final NovaRegistry nova;

    UndeliveredReplies(RequestRecords requestRecords, NovaRegistry nova) {
        this.requestRecords = requestRecords;
        this.nova = nova;
    }

    /** An instance and the host in its reply. */
    private record SelectedHost(UUID instance, String host) {}

    /**
     * Rolls back the claims if the caller did not get the reply. Completes when the claims are rolled back, or will
     * stay. Never fails.
     *
     * @param requestKey the request, whose record has the claims
     * @param result the reply in nova's form
     * @param isUndelivered whether it is certain that no queue accepted the reply; nova's databases are then not
     * queried
     */
    Uni<Void> rollBackIfUndelivered(Message message, IdempotencyKey requestKey, JsonNode result,
            boolean isUndelivered) {
        List<SelectedHost> selected = selectedHosts(requestKey.instances(), result);
        boolean isKnowable = isUndelivered || nova.isForeign();
        return (selected.isEmpty() || !isKnowable
                ? Uni.createFrom().voidItem()
                : check(message, requestKey, selected, isUndelivered, FURTHER_CHECKS_MAX))
                .onFailure().invoke(failure -> LOG.warnf(
                        "claims of an undelivered reply may remain %s cause=%s", message, failure))
                .onFailure().recoverWithNull();
    }

    /**
     * Returns the instances for which a host was claimed. If a host was only checked, its allocation request in the
     * reply is the text {@code null}.
     */
    private static List<SelectedHost> selectedHosts(List<UUID> instances, JsonNode result) {
        List<SelectedHost> selected = new ArrayList<>();
        for (int i = 0; i < instances.size(); i++) {
            JsonNode selection = result.path(i).at("/0/nova_object.data");
            if (selection.isMissingNode()) {
                selection = result.path(i);
            }
            String host = selection.has("service_host") ? "service_host" : "host";
            if (!selection.path("allocation_request").asText().equals("null")) {
                selected.add(new SelectedHost(instances.get(i), selection.path(host).asText()));
            }
        }
        return selected;
    }

    /**
     * Checks the instances, and rolls back their claims if the caller did not get the reply. Checks again later if this
     * is unknown, or if another request prevents the rollback.
     */
    private Uni<Void> check(
            Message message, IdempotencyKey requestKey, List<SelectedHost> selected, boolean isUndelivered,
            int checksLeft) {
        Uni<BuildProgress> progress =
                isUndelivered ? Uni.createFrom().item(BuildProgress.NOT_WAITING) : progressOf(selected);
        return progress.chain(seen -> switch (seen) {
            case ARRIVED -> Uni.createFrom().item(true);
            case WAITING -> Uni.createFrom().item(false);
            case NOT_WAITING -> requestRecords.retract(requestKey).invoke(done -> {
                if (done) {
                    LOG.warnf("no caller waited for the response: claim released %s instances=%d", message,
                            selected.size());
                }
            });
        }).chain(done -> {
            if (done) {
                return Uni.createFrom().voidItem();
            }
            if (checksLeft == 0) {
                LOG.warnf("unknown whether the caller got the reply: claims remain %s", message);
                return Uni.createFrom().voidItem();
            }
            return Uni.createFrom().voidItem().onItem().delayIt().by(PAUSE)
                    .chain(() -> check(message, requestKey, selected, isUndelivered, checksLeft - 1));
        });
    }

    /**
     * Returns the progress of the first instance that is not {@code NOT_WAITING}; {@code NOT_WAITING} if there is no
     * such instance. One instance is enough to show that the caller did not give up, because the others may have been
     * deleted meanwhile.
     */
    private Uni<BuildProgress> progressOf(List<SelectedHost> selected) {
        return Multi.createFrom().iterable(selected)
                .onItem().transformToUniAndConcatenate(each -> nova.findBuildProgress(each.instance(), each.host()))
                .select().where(seen -> seen != BuildProgress.NOT_WAITING)
                .toUni()
                .onItem().ifNull().continueWith(BuildProgress.NOT_WAITING);
    }
}
