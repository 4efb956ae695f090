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
 * The call {@code select_destinations}: the decision of {@code POST /v1/select_destinations}, with its records. A
 * redelivered message gets the response that the request record has stored.
 *
 * <p>If the instances already hold allocations that no request to Berth made, the claim is added to these, as with
 * nova-scheduler: an evacuated instance keeps its old allocations until the old host is up again.
 *
 * <p>Retries the call for up to 90 seconds while placement or the database is unavailable, or another request for the
 * same instances is in progress. The caller waits, and receives heartbeats.
 */
@Singleton
class SelectDestinations {
    private static final String ZONE = "availability_zone";
    private static final int UNIQUE_ID_LENGTH_MAX = 64;
    private static final Duration PAUSE_FIRST = Duration.ofMillis(500);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(5);
    private static final Duration TRIED_FOR = Duration.ofSeconds(90);

    private final Destinations destinations;
    private final ResponseWriter answers;
    private final Admission admission;
    private final RegistryFeed feed;
    private final UndeliveredReplies unheard;
    private final String defaultZone;
    private final @Nullable String cell;

    /**
     * @param cell uuid of the cell for hosts that are registered in no cell; with it, a cloud of one cell needs no
     * registered hosts
     */
    SelectDestinations(
            Destinations destinations,
            ResponseWriter answers,
            Admission admission,
            RegistryFeed feed,
            UndeliveredReplies unheard,
            ConfiguredOptions configured,
            @ConfigProperty(name = "berth.nova.cell") Optional<String> cell) {
        this.destinations = destinations;
        this.answers = answers;
        this.admission = admission;
        this.feed = feed;
        this.unheard = unheard;
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
        String requestId = message.tracedAs();
        String key = key(message);
        return Uni.createFrom().deferred(() -> answer(call.body(), key, requestId))
                .onFailure(failure -> holdsSomething(failure) || isUnderWay(failure))
                .recoverWithUni(failure -> {
                    Uni<String> keeping = answer(call.keepingAllocations(), key, requestId);
                    // The request in progress may be this very call, which another scheduler tried with
                    // keep_allocations before it stopped. This attempt then resumes that request.
                    return isUnderWay(failure) ? keeping.onFailure().transform(neither -> failure) : keeping;
                })
                .onFailure(Failures::isPassing)
                .retry().withBackOff(PAUSE_FIRST, PAUSE_MAX).expireIn(TRIED_FOR.toMillis())
                .onFailure().transform(Failures::last)
                // Placement holds the claims by now, so an unreadable registry must not fail the call: zones then come
                // from the last one.
                .chain(answer -> feed.currentOrLast().map(registry -> rendered(answer, call, registry)));
    }

    /**
     * Undoes the call if its caller gave up before the reply. Does nothing for a message without a usable id, because
     * its request has no record. Fails only if the message cannot be read.
     *
     * @param surely whether it is certain that no queue accepted the reply
     */
    Uni<Void> unheard(Message message, JsonNode answer, boolean surely) {
        String key = key(message);
        if (key == null) {
            return Uni.createFrom().voidItem();
        }
        ObjectNode body = SelectCall.of(message.args()).body();
        IdempotencyKey requestKey = SelectBody.read(body).asked(body, key, message.tracedAs());
        return unheard.settle(message, requestKey, answer, surely);
    }

    /** Returns the idempotency key of a message; null if the message has no id, or too long a one. */
    private static @Nullable String key(Message message) {
        return message.uniqueId() == null || message.uniqueId().length() > UNIQUE_ID_LENGTH_MAX
                ? null
                : "nova:" + message.uniqueId();
    }

    private static boolean holdsSomething(Throwable failure) {
        return failure instanceof ApiFault fault && fault.error().code() == ErrorCode.ALREADY_PLACED;
    }

    private static boolean isUnderWay(Throwable failure) {
        return failure instanceof ApiFault fault && fault.error().code() == ErrorCode.CONCURRENT_UPDATE;
    }

    /** Returns the response of the REST route. */
    private Uni<String> answer(ObjectNode body, @Nullable String key, String requestId) {
        SelectBody read = SelectBody.read(body);
        RequestSpec spec = read.request().spec();
        IdempotencyKey requestKey = read.asked(body, key, requestId);
        DecisionTrace trace = DecisionTrace.of(DecisionTrace.Request.of(
                DecisionTrace.Kind.SELECT, body.toString().getBytes(StandardCharsets.UTF_8), requestId,
                requestKey.instances(), spec));
        return admission
                .admit(() -> destinations.select(read.request(), requestKey, SchedulingInputs.Detail.COUNTS, trace))
                .map(outcome -> switch (outcome) {
                    case SelectionOutcome.Selected selected -> answers.render(selected, spec, false, trace).plain();
                    case SelectionOutcome.Repeated repeated -> repeated.answer();
                    case SelectionOutcome.Failure failure -> throw refused(failure, spec, trace);
                });
    }

    /**
     * Converts a failed decision. Returns temporary failures, and that of instances with allocations, as ApiFault,
     * because {@link #call} tries them again.
     */
    private RuntimeException refused(SelectionOutcome.Failure failure, RequestSpec spec, DecisionTrace trace) {
        ApiFault fault = answers.fault(failure, spec, false, trace);
        return fault.isPassing() || holdsSomething(fault)
                ? fault
                : Failures.of(failure, fault, spec.instanceUuids().isEmpty() ? "" : spec.instanceUuids().getFirst());
    }

    private JsonNode rendered(String answer, SelectCall call, RegistrySnapshot registry) {
        return new Selections(host -> zone(host, registry), call.cell() != null ? call.cell() : cell)
                .render(JsonBody.parse(answer.getBytes(StandardCharsets.UTF_8)), call);
    }

    private String zone(String host, RegistrySnapshot registry) {
        return registry.aggregatesOf(host).stream()
                .map(HostAggregate::metadata)
                .filter(metadata -> metadata.containsKey(ZONE))
                .map(metadata -> metadata.get(ZONE))
                .findFirst()
                .orElse(defaultZone);
    }
}
