package io.berth.scheduler.nova.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.api.Admission;
import io.berth.scheduler.api.SelectBody;
import io.berth.scheduler.config.service.ConfiguredOptions;
import io.berth.scheduler.decision.SchedulingInputs;
import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.host.registry.snapshot.RegistryFeed;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.nova.message.Message;
import io.berth.scheduler.nova.object.SelectCall;
import io.berth.scheduler.nova.object.Selections;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.requestrecord.IdempotencyKey;
import io.berth.scheduler.selection.Destinations;
import io.berth.scheduler.selection.ResponseWriter;
import io.berth.scheduler.selection.SelectionOutcome;
import io.berth.scheduler.text.Uuids;
import io.berth.scheduler.trace.DecisionTrace;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * The call {@code select_destinations}: makes the decision of {@code POST /v1/select_destinations}, and stores the same
 * records. A redelivered message gets the response that is stored in the record of the request; a message without a
 * usable id has no such record.
 *
 * <p>If the instances already hold allocations that this call did not make, the claim is added to these allocations, as
 * in nova-scheduler: an evacuated instance keeps its old allocations until the old host is up again.
 *
 * <p>The call is retried for up to 90 seconds while placement or the database is unavailable, while Berth is
 * overloaded, or while another request for the same instances is in progress. The caller waits, and receives
 * heartbeats.
 */
@Singleton
class SelectDestinations {
    private static final String ZONE = "availability_zone";
    private static final int UNIQUE_ID_LENGTH_MAX = 64;
    /** The pause before the first retry; it grows with each retry, up to {@link #PAUSE_MAX}. */
    private static final Duration PAUSE_FIRST = Duration.ofMillis(500);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(5);
    private static final Duration RETRY_TIME = Duration.ofSeconds(90);

    private final Destinations destinations;
    private final ResponseWriter responses;
    private final Admission admission;
    private final RegistryFeed feed;
    private final UndeliveredReplies undelivered;
    private final String defaultZone;
    private final @Nullable String cell;

    /**
     * @param cell uuid of the cell for hosts that are registered in no cell, so that a cloud with one cell needs no
     * registered hosts. If a call names a cell for its destination, that one is used instead
     */
    SelectDestinations(
            Destinations destinations,
            ResponseWriter responses,
            Admission admission,
            RegistryFeed feed,
            UndeliveredReplies undelivered,
            ConfiguredOptions configured,
            @ConfigProperty(name = "berth.nova.cell") Optional<String> cell) {
        this.destinations = destinations;
        this.responses = responses;
        this.admission = admission;
        this.feed = feed;
        this.undelivered = undelivered;
        this.defaultZone = configured.options().defaults().defaultAvailabilityZone();
        this.cell = cell.map(SelectDestinations::cell).orElse(null);
    }

    private static String cell(String text) {
        UUID uuid = Uuids.find(text);
        if (uuid == null) {
            throw new IllegalArgumentException("berth.nova.cell must be a uuid");
        }
        return uuid.toString();
    }

    /**
     * Decides the call and returns its result in nova's form. Fails with RpcFault, ApiFault or any other exception,
     * which {@link Failures#of} converts.
     */
    Uni<JsonNode> call(Message message) {
        SelectCall call = SelectCall.of(message.args());
        String requestId = message.logId();
        String key = key(message);
        return Uni.createFrom().deferred(() -> decide(call.body(), key, requestId))
                .onFailure(failure -> isAlreadyPlaced(failure) || isRequestInProgress(failure))
                .recoverWithUni(failure -> {
                    Uni<String> withKeptAllocations = decide(call.keepingAllocations(), key, requestId);
                    // The request in progress may be this call: another scheduler may have tried it with
                    // keep_allocations and then stopped. This attempt resumes such a request.
                    return isRequestInProgress(failure)
                            ? withKeptAllocations.onFailure().transform(second -> failure)
                            : withKeptAllocations;
                })
                .onFailure(Failures::isRetryable)
                .retry().withBackOff(PAUSE_FIRST, PAUSE_MAX).expireIn(RETRY_TIME.toMillis())
                .onFailure().transform(Failures::lastFailure)
                // The claims are in placement by now, so the call must not fail if the registry cannot be read. The
                // zones then come from the last registry that was read.
                .chain(result -> feed.currentOrLast().map(registry -> toNova(result, call, registry)));
    }

    /**
     * Rolls back the claims of the call if its caller did not receive the result ({@link
     * UndeliveredReplies#rollBackIfUndelivered}). Does nothing for a message without a usable id, because there is no
     * record of its request. Fails only if the message cannot be read.
     *
     * @param result the result of the call
     * @param isUndelivered whether it is certain that no queue accepted the reply
     */
    Uni<Void> undo(Message message, JsonNode result, boolean isUndelivered) {
        String key = key(message);
        if (key == null) {
            return Uni.createFrom().voidItem();
        }
        ObjectNode body = SelectCall.of(message.args()).body();
        IdempotencyKey requestKey = SelectBody.read(body).idempotencyKey(body, key, message.logId());
        return undelivered.rollBackIfUndelivered(message, requestKey, result, isUndelivered);
    }

    /** Returns the idempotency key of a message; null if the message has no id, or if the id is too long. */
    private static @Nullable String key(Message message) {
        return message.uniqueId() == null || message.uniqueId().length() > UNIQUE_ID_LENGTH_MAX
                ? null
                : "nova:" + message.uniqueId();
    }

    private static boolean isAlreadyPlaced(Throwable failure) {
        return failure instanceof ApiFault fault && fault.error().code() == ErrorCode.ALREADY_PLACED;
    }

    private static boolean isRequestInProgress(Throwable failure) {
        return failure instanceof ApiFault fault && fault.error().code() == ErrorCode.CONCURRENT_UPDATE;
    }

    /** Decides, and returns the response of the REST route. Fails with the exception of {@link #toException}. */
    private Uni<String> decide(ObjectNode body, @Nullable String key, String requestId) {
        SelectBody read = SelectBody.read(body);
        RequestSpec spec = read.request().spec();
        IdempotencyKey requestKey = read.idempotencyKey(body, key, requestId);
        DecisionTrace trace = DecisionTrace.of(DecisionTrace.Request.of(
                DecisionTrace.Kind.SELECT, body.toString().getBytes(StandardCharsets.UTF_8), requestId,
                requestKey.instances(), spec));
        return admission
                .admit(() -> destinations.select(read.request(), requestKey, SchedulingInputs.Detail.COUNTS, trace))
                .map(outcome -> switch (outcome) {
                    case SelectionOutcome.Selected selected -> responses.render(selected, spec, false, trace).plain();
                    case SelectionOutcome.Repeated repeated -> repeated.answer();
                    case SelectionOutcome.Failure failure -> throw toException(failure, spec, trace);
                });
    }

    /**
     * Converts a failed decision. Returns an ApiFault for a temporary failure, and for instances that have allocations
     * already, because {@link #call} tries again after these. Returns an RpcFault for any other failure.
     */
    private RuntimeException toException(SelectionOutcome.Failure failure, RequestSpec spec, DecisionTrace trace) {
        ApiFault fault = responses.fault(failure, spec, false, trace);
        return fault.isRetryable() || isAlreadyPlaced(fault)
                ? fault
                : Failures.of(failure, fault, spec.instanceUuids().isEmpty() ? "" : spec.instanceUuids().getFirst());
    }

    /** Converts the response of the REST route to nova's form. */
    private JsonNode toNova(String result, SelectCall call, RegistrySnapshot registry) {
        return new Selections(host -> zone(host, registry), call.cell() != null ? call.cell() : cell)
                .render(JsonBody.parse(result.getBytes(StandardCharsets.UTF_8)), call);
    }

    /** Returns the zone of a host's first aggregate with a zone; the default zone if there is none. */
    private String zone(String host, RegistrySnapshot registry) {
        return registry.aggregatesOf(host).stream()
                .map(HostAggregate::metadata)
                .filter(metadata -> metadata.containsKey(ZONE))
                .map(metadata -> metadata.get(ZONE))
                .findFirst()
                .orElse(defaultZone);
    }
}
