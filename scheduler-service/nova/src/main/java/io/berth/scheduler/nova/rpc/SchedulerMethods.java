package io.berth.scheduler.nova.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.berth.context.OwnContext;
import io.berth.scheduler.nova.message.Failure;
import io.berth.scheduler.nova.message.Message;
import io.berth.scheduler.nova.message.RpcVersion;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.inject.Singleton;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * The RPC interface of nova-scheduler, version 4.5, and the interface that every service of nova has (namespace
 * {@code baseapi}, version 1.1).
 *
 * <p>Updates of aggregates and instances are accepted and ignored, because Berth reads aggregates and instances from
 * its registry. Casts to all schedulers do not reach this class, because {@code nova.rabbit} discards them.
 * <br>Source: nova {@code scheduler/manager.py}, {@code baserpc.py}; oslo.messaging {@code rpc/dispatcher.py}.
 */
@Singleton
public class SchedulerMethods {
    private static final Logger LOG = Logger.getLogger(SchedulerMethods.class);
    private static final String BASE = "baseapi";
    private static final String SELECT = "select_destinations";
    private static final RpcVersion SCHEDULER_VERSION = new RpcVersion(4, 5);
    private static final RpcVersion BASE_VERSION = new RpcVersion(1, 1);

    private final SelectDestinations selects;
    private final Vertx vertx;

    SchedulerMethods(SelectDestinations selects, Vertx vertx) {
        this.selects = selects;
        this.vertx = vertx;
    }

    /**
     * Processes a message. Calls exactly one of {@code onResult} and {@code onFailure}, on an event loop.
     *
     * @param onResult receives the result of the call
     * @param onFailure receives the exception for the caller
     */
    public void run(Message message, Consumer<JsonNode> onResult, Consumer<Failure> onFailure) {
        OwnContext.create(vertx).runOnContext(ignored -> Uni.createFrom().deferred(() -> call(message))
                .subscribe().with(onResult, failure -> onFailure.accept(failureOf(message, failure))));
    }

    /**
     * Rolls back the claims of a call of {@code select_destinations} whose caller did not receive the result, as far as
     * {@link UndeliveredReplies} can find that out. Does nothing for other methods.
     *
     * @param result the result that was sent or was to be sent
     * @param isUndelivered whether it is certain that no queue accepted the reply
     * @param done called once, when the undo has ended or failed
     */
    public void undo(Message message, JsonNode result, boolean isUndelivered, Runnable done) {
        OwnContext.create(vertx).runOnContext(ignored -> Uni.createFrom()
                .deferred(() -> message.namespace() == null && message.method().equals(SELECT)
                        ? selects.undo(message, result, isUndelivered)
                        : Uni.createFrom().voidItem())
                .subscribe().with(settled -> done.run(), failure -> done.run()));
    }

    private static Failure failureOf(Message message, Throwable failure) {
        RpcFault fault = Failures.of(failure);
        if (fault.isInternalError()) {
            LOG.errorf(failure, "call failed %s", message);
        } else {
            LOG.infof("call refused %s as=%s detail=%s", message, fault.failure().type(), fault.getMessage());
        }
        return fault.failure();
    }

    private Uni<JsonNode> call(Message message) {
        RpcVersion served = message.namespace() == null ? SCHEDULER_VERSION : BASE_VERSION;
        boolean isKnownNamespace = message.namespace() == null || message.namespace().equals(BASE);
        if (!isKnownNamespace || !served.serves(message.version())) {
            Failure failure = Failure.unsupportedVersion(message.version(), message.method());
            throw new RpcFault(failure, failure.message());
        }
        return message.namespace() == null ? callScheduler(message) : Uni.createFrom().item(callBase(message));
    }

    private Uni<JsonNode> callScheduler(Message message) {
        return switch (message.method()) {
            case SELECT -> selects.call(message);
            case "update_aggregates", "delete_aggregate", "update_instance_info", "delete_instance_info",
                    "sync_instance_info" -> Uni.createFrom().item(JsonNodeFactory.instance.nullNode());
            default -> throw noSuchMethod(message);
        };
    }

    private static JsonNode callBase(Message message) {
        return switch (message.method()) {
            case "ping" -> JsonNodeFactory.instance.objectNode()
                    .put("service", "scheduler")
                    .set("arg", message.args().path("arg").isMissingNode() ? null : message.args().get("arg"));
            case "get_backdoor_port" -> JsonNodeFactory.instance.nullNode();
            default -> throw noSuchMethod(message);
        };
    }

    private static RpcFault noSuchMethod(Message message) {
        Failure failure = Failure.noSuchMethod(message.method());
        return new RpcFault(failure, failure.message());
    }
}
