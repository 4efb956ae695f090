package io.berth.scheduler.legacy.attestation;

import io.berth.identity.StartRefusal;
import io.berth.model.CaFile;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.legacy.filter.TrustedFilter;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostFactSource;
import io.berth.scheduler.spi.HostFilter;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Vertx;
import jakarta.annotation.Nullable;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * Provides each host's trust level from an attestation service to {@link TrustedFilter}. If no service is configured,
 * or the flavor does not require a level, hosts keep the level of their registered report.
 */
@Singleton
class TrustLevels implements HostFactSource {
    private static final Logger LOG = Logger.getLogger(TrustLevels.class);

    private final @Nullable AttestationHttp service;
    private final @Nullable AttestationCache cache;

    /** @param timeout time limit of one call of the attestation service, including the connection */
    TrustLevels(
            Vertx vertx,
            Options configured,
            @ConfigProperty(name = "berth.attestation-timeout", defaultValue = "5S") Duration timeout) {
        Options.TrustedComputing options = configured.trustedComputing();
        String server = options.attestationServer();
        if (server == null) {
            service = null;
            cache = null;
            return;
        }
        refuseUnreadable(options.attestationServerCaFile());
        service = new AttestationHttp(vertx, server, options, timeout);
        cache = new AttestationCache(
                service::poll,
                Duration.ofSeconds(options.attestationAuthTimeoutSeconds()),
                InstantSource.system());
    }

    /** Creates the bean at start, so that a missing certificate or an invalid URL stops the start. */
    void start(@Observes StartupEvent starting) {
        LOG.debugf("attestation service configured=%b", cache != null);
    }

    @PreDestroy
    void close() {
        if (service != null) {
            service.close();
        }
    }

    @Override
    public boolean serves(HostFilter filter) {
        return filter instanceof TrustedFilter;
    }

    @Override
    public CompletionStage<UnaryOperator<HostState>> find(RequestSpec spec, Collection<HostState> hosts) {
        if (cache == null || hosts.isEmpty() || !spec.flavor().extraSpecs().containsKey(TrustedFilter.EXTRA_SPEC)) {
            return CompletableFuture.completedStage(AS_REPORTED);
        }
        Set<String> nodes = new LinkedHashSet<>();
        hosts.forEach(host -> nodes.add(host.nodename()));
        return cache.attestationsOf(nodes)
                .emitOn(Infrastructure.getDefaultExecutor())
                .<UnaryOperator<HostState>>map(attestations -> host -> withLevel(host, attestations))
                .subscribeAsCompletionStage();
    }

    private static HostState withLevel(HostState host, Map<String, Attestation> attestations) {
        Attestation attestation = attestations.get(host.nodename());
        return host.toBuilder()
                .trustLevel(attestation == null ? Attestation.UNKNOWN : attestation.level())
                .build();
    }

    /** Stops the start if the file of CA certificates cannot be read or has no certificate. */
    private static void refuseUnreadable(@Nullable String caFile) {
        if (caFile != null) {
            try {
                CaFile.read("berth.scheduler.trusted-computing.attestation-server-ca-file", Path.of(caFile));
            } catch (IllegalArgumentException invalid) {
                throw StartRefusal.because(String.valueOf(invalid.getMessage()));
            }
        }
    }
}
