package io.berth.scheduler.attestation;

import io.berth.identity.StartRefusal;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.config.service.ConfiguredOptions;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.filter.TrustedFilter;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Vertx;
import jakarta.annotation.Nullable;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * Gives hosts the trust level that an attestation service states, before filters see them. Costs nothing where no
 * service is configured, TrustedFilter does not run, or the flavor does not ask; then the hosts keep the level that was
 * reported with them.
 */
@Singleton
public class TrustLevels {
    private static final String TRUSTED_FILTER = TrustedFilter.class.getSimpleName();
    private static final Logger LOG = Logger.getLogger(TrustLevels.class);
    private static final UnaryOperator<HostState> AS_REPORTED = host -> host;

    private final @Nullable AttestationHttp service;
    private final @Nullable AttestationCache cache;

    /** @param timeout limit for one call of the attestation service, connection included */
    TrustLevels(
            Vertx vertx,
            ConfiguredOptions configured,
            @ConfigProperty(name = "berth.attestation-timeout", defaultValue = "5S") Duration timeout) {
        Options.TrustedComputing options = configured.options().trustedComputing();
        if (options.attestationServer() == null) {
            service = null;
            cache = null;
            return;
        }
        refuseUnreadable(options.attestationServerCaFile());
        service = new AttestationHttp(vertx, options, timeout);
        cache = new AttestationCache(
                service::poll,
                Duration.ofSeconds(options.attestationAuthTimeoutSeconds()),
                InstantSource.system());
    }

    /** Made at start, so that a missing certificate shows at once. */
    void start(@Observes StartupEvent starting) {
        LOG.debugf("attestation service configured=%b", cache != null);
    }

    @PreDestroy
    void close() {
        if (service != null) {
            service.close();
        }
    }

    /** The same hosts in the same order. Never fails: without an answer all levels are unknown. */
    public Uni<List<HostState>> attest(RequestSpec spec, List<HostState> hosts, EnabledFilters filters) {
        return levels(spec, hosts, filters)
                .map(attest -> attest == AS_REPORTED ? hosts : hosts.stream().map(attest).toList());
    }

    /** What gives each of the hosts its level; where the service was asked, off the event loop. Never fails. */
    public Uni<UnaryOperator<HostState>> levels(
            RequestSpec spec, Collection<HostState> hosts, EnabledFilters filters) {
        boolean asks = spec.flavor().extraSpecs().containsKey(TrustedFilter.EXTRA_SPEC)
                && filters.inOrder().stream().anyMatch(filter -> filter.name().equals(TRUSTED_FILTER));
        if (cache == null || !asks || hosts.isEmpty()) {
            return Uni.createFrom().item(AS_REPORTED);
        }
        Set<String> nodes = new LinkedHashSet<>();
        hosts.forEach(host -> nodes.add(host.nodename()));
        return cache.levels(nodes)
                .emitOn(Infrastructure.getDefaultExecutor())
                .map(levels -> host -> attested(host, levels));
    }

    private static HostState attested(HostState host, Map<String, Attested> levels) {
        Attested said = levels.get(host.nodename());
        return host.toBuilder()
                .trustLevel(said == null ? Attested.UNKNOWN : said.level())
                .build();
    }

    private static void refuseUnreadable(@Nullable String caFile) {
        if (caFile != null && !Files.isReadable(Path.of(caFile))) {
            throw StartRefusal.because(
                    "berth.scheduler.trusted-computing.attestation-server-ca-file: cannot read " + caFile);
        }
    }
}
