package io.berth.scheduler.nova.rabbit;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.berth.model.CaFile;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Connects to the hosts of RabbitMQ in turn. */
final class Brokers {
    private static final int CONNECT_MS_MAX = 10_000;
    private static final int HEARTBEAT_SECONDS = 30;
    /**
     * The maximum message that the client library accepts: RabbitMQ's default limit for many releases.
     * {@link QueueConsumer} drops messages above its own, lower limit.
     */
    private static final int MESSAGE_BYTES_MAX = 128 << 20;

    private final TransportUrl url;
    private final SSLContext tls;
    private final AtomicInteger next = new AtomicInteger();

    /**
     * Throws IllegalArgumentException if the file cannot be read or has no certificate.
     *
     * @param caFile PEM file of the trusted authorities; empty: Java's own
     */
    Brokers(TransportUrl url, Optional<Path> caFile) {
        this.url = url;
        this.tls = url.tls() ? context(caFile) : null;
    }

    int count() {
        return url.brokers().size();
    }

    /** Connects to the next host in turn; blocks. The message of an IOException names the host. */
    Connection connect() throws IOException, TimeoutException {
        TransportUrl.Broker broker = url.brokers().get(Math.floorMod(next.getAndIncrement(), count()));
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost(broker.host());
        factory.setPort(broker.port());
        factory.setUsername(broker.user());
        factory.setPassword(broker.password());
        factory.setVirtualHost(url.virtualHost());
        factory.setConnectionTimeout(CONNECT_MS_MAX);
        factory.setHandshakeTimeout(CONNECT_MS_MAX);
        factory.setRequestedHeartbeat(HEARTBEAT_SECONDS);
        factory.setMaxInboundMessageBodySize(MESSAGE_BYTES_MAX);
        // Listening opens a new session instead, which also recovers from the end of a channel or a consumer.
        factory.setAutomaticRecoveryEnabled(false);
        if (tls != null) {
            factory.useSslProtocol(tls);
            factory.enableHostnameVerification();
        }
        try {
            return factory.newConnection("berth-scheduler");
        } catch (IOException | TimeoutException refused) {
            throw new IOException(broker + ": " + refused, refused);
        }
    }

    private static SSLContext context(Optional<Path> caFile) {
        try {
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            // Without a key store, Java's own authorities are trusted.
            trust.init(caFile.map(file -> CaFile.read("berth.nova.ca-file", file)).orElse(null));
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException broken) {
            throw new IllegalStateException(broken);
        }
    }

    /** Returns only hosts and ports. */
    @Override
    public String toString() {
        return url.brokers().toString();
    }
}
