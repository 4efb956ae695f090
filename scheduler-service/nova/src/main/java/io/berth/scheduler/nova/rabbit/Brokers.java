package io.berth.scheduler.nova.rabbit;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.berth.model.CaFile;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Connects to the hosts of RabbitMQ, to the next one with each call. */
final class Brokers {
    /** The time limit of connecting, and that of the handshake after it. */
    private static final int CONNECT_MS_MAX = 10_000;
    private static final int HEARTBEAT_SECONDS = 30;
    /**
     * The maximum number of bytes of a message that the client library accepts. This was RabbitMQ's default limit for
     * many releases. {@link QueueConsumer} drops messages above its own, lower limit.
     */
    private static final int MESSAGE_BYTES_MAX = 128 << 20;

    private final TransportUrl url;
    private final @Nullable SSLContext tls;
    private final AtomicInteger nextIndex = new AtomicInteger();

    /**
     * Reads the file of certificate authorities, but only if the URL demands TLS. Throws IllegalArgumentException if
     * the file cannot be read or has no certificate.
     *
     * @param caFile PEM file of the trusted certificate authorities; empty: those that Java trusts
     */
    Brokers(TransportUrl url, Optional<Path> caFile) {
        this.url = url;
        this.tls = url.tls() ? tlsContext(caFile) : null;
    }

    /** Returns the number of hosts. */
    int count() {
        return url.brokers().size();
    }

    /** Connects to the next host of the URL, after the last one to the first; blocks. An IOException names the host. */
    Connection connect() throws IOException, TimeoutException {
        TransportUrl.Broker broker = url.brokers().get(Math.floorMod(nextIndex.getAndIncrement(), count()));
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
        // QueueConsumer opens a new session instead, also after the end of a single channel or consumer.
        factory.setAutomaticRecoveryEnabled(false);
        if (tls != null) {
            factory.useSslProtocol(tls);
            factory.enableHostnameVerification();
        }
        try {
            return factory.newConnection("berth-scheduler");
        } catch (IOException | TimeoutException failure) {
            throw new IOException(broker + ": " + failure, failure);
        }
    }

    private static SSLContext tlsContext(Optional<Path> caFile) {
        try {
            TrustManagerFactory trustManagers =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            // Null means the certificate authorities that Java trusts.
            trustManagers.init(caFile.map(file -> CaFile.read("berth.nova.ca-file", file)).orElse(null));
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trustManagers.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** Returns only hosts and ports. */
    @Override
    public String toString() {
        return url.brokers().toString();
    }
}
