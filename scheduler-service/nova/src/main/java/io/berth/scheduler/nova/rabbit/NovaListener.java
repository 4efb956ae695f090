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
 * Starts and stops {@link QueueConsumer} with the service: in place of nova-scheduler, or in shadow mode beside
 * nova-scheduler.
 */
@Singleton
class NovaListener {
    private static final Logger LOG = Logger.getLogger(NovaListener.class);

    private final NovaConfig config;
    private final SchedulerMethods methods;
    private final OwnService own;
    private final ShadowCalls shadow;
    private volatile @Nullable QueueConsumer listening;

    NovaListener(
            NovaConfig config, SchedulerMethods methods, OwnService own, ShadowCalls shadow, MeterRegistry meters) {
        this.config = config;
        this.methods = methods;
        this.own = own;
        this.shadow = shadow;
        Gauge.builder("berth.nova.connected", this, NovaListener::connected)
                .description(
                        "1 while messages of nova's RabbitMQ are taken, 0 while it cannot be reached; NaN where none"
                                + " is configured")
                .register(meters);
    }

    private double connected() {
        QueueConsumer begun = listening;
        return begun == null ? Double.NaN : begun.isConnected() ? 1 : 0;
    }

    private Brokers brokers(String url) {
        try {
            return new Brokers(TransportUrl.parse(url), config.caFile());
        } catch (IllegalArgumentException invalid) {
            throw StartRefusal.because(invalid.getMessage());
        }
    }

    void start(@Observes StartupEvent started) {
        config.transportUrl().map(this::brokers).ifPresent(brokers -> {
            if (config.isShadow()) {
                listenInShadow(brokers);
                return;
            }
            listening = QueueConsumer.start(brokers, config.topology(), config.prefetch(), QueueConsumer.TRIED_FOR,
                    new QueueConsumer.Methods() {
                        @Override
                        public void run(Message message, Consumer<JsonNode> answered, Consumer<Failure> failed) {
                            methods.run(message, answered, failed);
                        }

                        @Override
                        public void unheard(Message message, JsonNode answer, boolean surely, Runnable done) {
                            methods.unheard(message, answer, surely, done);
                        }
                    });
            own.keepUpdating(config.topology().host());
            LOG.infof("listening for nova exchange=%s host=%s brokers=%s",
                    config.topology().exchange(), config.topology().host(), brokers);
        });
    }

    private void listenInShadow(Brokers brokers) {
        shadow.start();
        listening = QueueConsumer.inShadow(brokers, config.shadowQueue(), config.prefetch(),
                new QueueConsumer.Methods() {
                    @Override
                    public void run(Message message, Consumer<JsonNode> answered, Consumer<Failure> failed) {
                        shadow.run(message, () -> answered.accept(NullNode.instance));
                    }

                    @Override
                    public void unheard(Message message, JsonNode answer, boolean surely, Runnable done) {
                        done.run();
                    }
                });
        LOG.infof("listening beside nova-scheduler exchange=%s queue=%s brokers=%s",
                config.topology().exchange(), ShadowQueue.NAME, brokers);
    }

    /**
     * Stops consuming messages and waits up to 15 seconds for the replies of those in progress. Runs before all other
     * observers, because they write what these messages produce, such as decision records.
     */
    void stop(@Observes @Priority(1) ShutdownEvent stopping) {
        if (listening != null) {
            listening.close();
        }
    }
}
