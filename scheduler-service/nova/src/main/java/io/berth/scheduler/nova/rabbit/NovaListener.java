package io.berth.scheduler.nova.rabbit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.berth.identity.StartRefusal;
import io.berth.scheduler.nova.database.OwnService;
import io.berth.scheduler.nova.message.Failure;
import io.berth.scheduler.nova.message.Message;
import io.berth.scheduler.nova.rpc.SchedulerMethods;
import io.berth.scheduler.nova.shadow.ShadowCalls;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Nullable;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * Starts and stops {@link QueueConsumer} with the service, in place of nova-scheduler or, in shadow mode, beside
 * nova-scheduler. Does nothing if no transport URL is configured.
 */
@Singleton
class NovaListener {
    private static final Logger LOG = Logger.getLogger(NovaListener.class);

    private final NovaConfig config;
    private final SchedulerMethods methods;
    private final OwnService ownService;
    private final ShadowCalls shadow;
    private volatile @Nullable QueueConsumer consumer;

    NovaListener(
            NovaConfig config, SchedulerMethods methods, OwnService ownService, ShadowCalls shadow,
            MeterRegistry meters) {
        this.config = config;
        this.methods = methods;
        this.ownService = ownService;
        this.shadow = shadow;
        Gauge.builder("berth.nova.connected", this, NovaListener::connected)
                .description(
                        "1 while messages of nova's RabbitMQ are consumed, 0 while RabbitMQ cannot be reached; NaN if"
                                + " none is configured")
                .register(meters);
    }

    private double connected() {
        QueueConsumer current = consumer;
        return current == null ? Double.NaN : current.isConnected() ? 1 : 0;
    }

    private Brokers brokers(String url) {
        try {
            return new Brokers(TransportUrl.parse(url), config.caFile());
        } catch (IllegalArgumentException invalid) {
            throw StartRefusal.because(String.valueOf(invalid.getMessage()));
        }
    }

    void start(@Observes StartupEvent started) {
        config.transportUrl().map(this::brokers).ifPresent(brokers -> {
            if (config.isShadow()) {
                listenInShadow(brokers);
                return;
            }
            consumer = QueueConsumer.start(brokers, config.topology(), config.prefetch(), QueueConsumer.RETRY_TIME,
                    new QueueConsumer.Methods() {
                        @Override
                        public void run(Message message, Consumer<JsonNode> onResult, Consumer<Failure> onFailure) {
                            methods.run(message, onResult, onFailure);
                        }

                        @Override
                        public void undo(Message message, JsonNode result, boolean isUndelivered, Runnable done) {
                            methods.undo(message, result, isUndelivered, done);
                        }
                    });
            ownService.keepUpdating(config.topology().host());
            LOG.infof("listening for nova exchange=%s host=%s brokers=%s",
                    config.topology().exchange(), config.topology().host(), brokers);
        });
    }

    private void listenInShadow(Brokers brokers) {
        shadow.start();
        consumer = QueueConsumer.inShadow(brokers, config.shadowQueue(), config.prefetch(),
                new QueueConsumer.Methods() {
                    @Override
                    public void run(Message message, Consumer<JsonNode> onResult, Consumer<Failure> onFailure) {
                        // The result is not sent, because messages in shadow mode have no reply address.
                        shadow.run(message, () -> onResult.accept(NullNode.instance));
                    }

                    @Override
                    public void undo(Message message, JsonNode result, boolean isUndelivered, Runnable done) {
                        done.run();
                    }
                });
        LOG.infof("listening beside nova-scheduler exchange=%s queue=%s brokers=%s",
                config.topology().exchange(), ShadowQueue.NAME, brokers);
    }

    /**
     * Stops consuming messages, and waits for the replies to messages in progress ({@link QueueConsumer#close}). Runs
     * before all other observers of the shutdown, because those stop the writers of what these messages produce, such
     * as decision records.
     */
    void stop(@Observes @Priority(1) ShutdownEvent stopping) {
        if (consumer != null) {
            consumer.close();
        }
    }
}
