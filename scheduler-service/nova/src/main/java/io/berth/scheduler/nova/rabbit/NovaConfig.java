package io.berth.scheduler.nova.rabbit;

import io.berth.identity.StartRefusal;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The connection to nova's RabbitMQ, and the arguments with which the deployment declares its queues. */
@Singleton
class NovaConfig {
    private final Optional<String> transportUrl;
    private final Optional<String> caFile;
    private final Topology topology;
    private final int prefetch;
    private final boolean isShadow;

    /**
     * @param transportUrl as in nova.conf: {@code rabbit://user:password@host:port,…/vhost}, {@code ?ssl=1} for TLS. If
     * set, Berth takes nova-scheduler's place in RabbitMQ, or works beside it with {@code berth.nova.shadow}; otherwise
     * Berth does not connect to RabbitMQ
     * @param caFile PEM file of the certificate authority that signed RabbitMQ's certificate; if unset, the authorities
     * that Java trusts
     * @param host name of this scheduler, {@code [DEFAULT] host} of nova.conf; if unset, the machine's host name
     * @param controlExchange {@code [DEFAULT] control_exchange} of nova.conf
     * @param durableQueues {@code [oslo_messaging_rabbit] amqp_durable_queues}
     * @param autoDelete {@code [oslo_messaging_rabbit] amqp_auto_delete}
     * @param quorumQueue {@code [oslo_messaging_rabbit] rabbit_quorum_queue}; such queues are durable
     * @param haQueues {@code [oslo_messaging_rabbit] rabbit_ha_queues}
     * @param transientQuorumQueue {@code [oslo_messaging_rabbit] rabbit_transient_quorum_queue}
     * @param transientQueuesTtl {@code [oslo_messaging_rabbit] rabbit_transient_queues_ttl}, in seconds; 0: the fanout
     * queue is deleted with its last consumer
     * @param prefetch maximum number of messages of each queue that are processed at a time, 1 to 65,535; further
     * messages wait in RabbitMQ, where another scheduler may consume them
     * @param isShadow true: a queue of Berth's own gets a copy of each message to nova-scheduler. Berth sends no reply
     * and claims nothing; it compares what it would have chosen with what nova chose ({@code GET /v1/shadow}). Needs
     * {@code berth.nova.transport-url}
     */
    NovaConfig(
            @ConfigProperty(name = "berth.nova.transport-url") Optional<String> transportUrl,
            @ConfigProperty(name = "berth.nova.ca-file") Optional<String> caFile,
            @ConfigProperty(name = "berth.nova.host") Optional<String> host,
            @ConfigProperty(name = "berth.nova.control-exchange", defaultValue = "nova") String controlExchange,
            @ConfigProperty(name = "berth.nova.durable-queues", defaultValue = "false") boolean durableQueues,
            @ConfigProperty(name = "berth.nova.auto-delete", defaultValue = "false") boolean autoDelete,
            @ConfigProperty(name = "berth.nova.quorum-queue", defaultValue = "false") boolean quorumQueue,
            @ConfigProperty(name = "berth.nova.ha-queues", defaultValue = "false") boolean haQueues,
            @ConfigProperty(name = "berth.nova.transient-quorum-queue",
                    defaultValue = "false") boolean transientQuorumQueue,
            @ConfigProperty(name = "berth.nova.transient-queues-ttl", defaultValue = "1800") int transientQueuesTtl,
            @ConfigProperty(name = "berth.nova.prefetch", defaultValue = "64") int prefetch,
            @ConfigProperty(name = "berth.nova.shadow", defaultValue = "false") boolean isShadow) {
        this.transportUrl = transportUrl;
        this.caFile = caFile;
        this.topology = new Topology(
                controlExchange,
                host.orElseGet(Topology::machineName),
                durableQueues,
                autoDelete,
                quorumQueue,
                haQueues,
                transientQuorumQueue,
                transientQueuesTtl,
                UUID.randomUUID().toString().replace("-", ""));
        if (prefetch < 1 || prefetch > 65_535) {
            throw new IllegalArgumentException("berth.nova.prefetch must be 1 to 65535");
        }
        if (isShadow && transportUrl.isEmpty()) {
            throw StartRefusal.because("berth.nova.shadow needs nova's RabbitMQ: set berth.nova.transport-url");
        }
        this.prefetch = prefetch;
        this.isShadow = isShadow;
    }

    Optional<String> transportUrl() {
        return transportUrl;
    }

    Optional<Path> caFile() {
        return caFile.map(Path::of);
    }

    Topology topology() {
        return topology;
    }

    int prefetch() {
        return prefetch;
    }

    boolean isShadow() {
        return isShadow;
    }

    ShadowQueue shadowQueue() {
        return new ShadowQueue(topology.exchange(), topology.durable() || topology.quorum());
    }
}
