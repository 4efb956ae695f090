package io.berth.scheduler.legacy.attestation;

import com.fasterxml.jackson.databind.JsonNode;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * Caches the last results of the attestation service. If the trust level of one requested node is missing or too old,
 * one call queries all cached and requested nodes; requests that arrive during the call wait for its result. If the
 * call fails, the level of every node is unknown, and nothing is cached. Thread-safe.
 *
 * <p>Unlike in nova, a node that the service does not know is cached as unknown for the same time as other results,
 * instead of being queried for every request.
 * <br>Source: nova {@code scheduler/filters/trusted_filter.py} of the last release that had it.
 */
final class AttestationCache {
    private static final Logger LOG = Logger.getLogger(AttestationCache.class);
    /** Maximum nodes of one call, and of the cache; the level of further nodes of a request is unknown. */
    static final int NODES_MAX = 20_000;

    private final Function<Set<String>, Uni<JsonNode>> service;
    private final Duration believed;
    private final InstantSource clock;
    /** Results of the last call by node name; empty if it failed. Guarded by this. */
    private Map<String, Attestation> known = Map.of();
    /** The call in progress; null for none. Guarded by this. */
    private @Nullable Uni<Map<String, Attestation>> running;

    /**
     * @param service calls the attestation service for a set of node names
     * @param believed maximum age of a verification; an older one is queried again
     */
    AttestationCache(Function<Set<String>, Uni<JsonNode>> service, Duration believed, InstantSource clock) {
        this.service = service;
        this.believed = believed;
        this.clock = clock;
    }

    /**
     * Returns the results by node name, for at least these nodes; nodes beyond {@link #NODES_MAX} may be missing. Never
     * fails.
     */
    synchronized Uni<Map<String, Attestation>> levels(Set<String> nodes) {
        if (running != null) {
            return running.chain(polled -> polled.keySet().containsAll(nodes)
                    ? Uni.createFrom().item(polled)
                    : levels(nodes));
        }
        Instant oldest = clock.instant().minus(believed);
        boolean fresh = nodes.stream()
                .limit(NODES_MAX)
                .allMatch(node -> known.containsKey(node) && !known.get(node).verified().isBefore(oldest));
        if (fresh) {
            return Uni.createFrom().item(known);
        }
        Set<String> asked = new HashSet<>();
        Stream.concat(nodes.stream(), known.keySet().stream()).limit(NODES_MAX).forEach(asked::add);
        running = service.apply(asked)
                .map(answer -> PollHostsResponse.read(answer, asked, clock.instant()))
                .onFailure().invoke(failure -> LOG.warnf(
                        "attestation service gives no answer nodes=%d cause=%s", asked.size(), failure))
                .onFailure().recoverWithItem(Map.of())
                .invoke(this::finished)
                .map(answer -> answer.isEmpty() ? PollHostsResponse.nothing(asked, clock.instant()) : answer)
                .memoize().indefinitely();
        return running;
    }

    private synchronized void finished(Map<String, Attestation> answer) {
        known = answer;
        running = null;
    }
}
