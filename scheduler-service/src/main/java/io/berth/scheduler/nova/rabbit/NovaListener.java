package io.berth.scheduler.nova.rabbit;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.nova.database.OwnService;
import io.berth.scheduler.nova.message.Failure;
import io.berth.scheduler.nova.message.Message;
import io.berth.scheduler.nova.rpc.SchedulerMethods;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Nullable;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/** Takes nova-scheduler's place for as long as the service runs. */
@Singleton
class NovaListener {
    private static final Logger LOG = Logger.getLogger(NovaListener.class);

    private final NovaConfig config;
    private final SchedulerMethods methods;
    private final OwnService own;
    private @Nullable Listening listening;

    NovaListener(NovaConfig config, SchedulerMethods methods, OwnService own) {
        this.config = config;
        this.methods = methods;
        this.own = own;
    }

    void start(@Observes StartupEvent started) {
        config.transportUrl().ifPresent(url -> {
            Brokers brokers = new Brokers(TransportUrl.parse(url), config.caFile());
            listening = Listening.start(brokers, config.topology(), config.prefetch(), Listening.TRIED_FOR, new Listening.Methods() {
                @Override
                public void run(Message message, Consumer<JsonNode> answered, Consumer<Failure> failed) {
                    methods.run(message, answered, failed);
                }

                @Override
                public void unheard(Message message, JsonNode answer, boolean surely, Runnable done) {
                    methods.unheard(message, answer, surely, done);
                }
            });
            own.keepTelling(config.topology().host());
            LOG.infof("listening for nova exchange=%s host=%s brokers=%s",
                    config.topology().exchange(), config.topology().host(), brokers);
        });
    }

    /** What is worked on gets its answer first, for a while. */
    void stop(@Observes ShutdownEvent stopping) {
        if (listening != null) {
            listening.close();
        }
    }
}
