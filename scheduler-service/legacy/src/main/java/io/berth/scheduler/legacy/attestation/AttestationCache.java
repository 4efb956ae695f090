package io.berth.scheduler.legacy.attestation;

import com.fasterxml.jackson.databind.JsonNode;
import io.smallrye.mutiny.Uni;
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
 * Caches the last results of the attestation service. If the level of one node is missing or too old, all nodes are
 * queried again in one call; requests in the meantime wait for that call. If the service does not respond, every level
 * is unknown, and nothing is cached.
 *
 * <p>Unlike in nova, a node that the service does not know stays unknown for as long as other results are cached,
 * instead of being queried by every request.
 * <br>Source: nova {@code scheduler/filters/trusted_filter.py} of the last release that had it.
 */
final class AttestationCache {
    private static final Logger LOG = Logger.getLogger(AttestationCache.class);
    /** Limits the nodes that are cached and queried at once; further nodes of a request are unknown. */
    static final int NODES_MAX = 20_000;

    private final Function<Set<String>, Uni<JsonNode>> service;
    private final Duration believed;
    private final InstantSource clock;
    private Map<String, Attested> known = Map.of();
    private Uni<Map<String, Attested>> running;

    /**
     * @param service queried for a set of nodes, once per call
     * @param believed age from which a verification no longer counts
     */
    AttestationCache(Function<Set<String>, Uni<JsonNode>> service, Duration believed, InstantSource clock) {
        this.service = service;
        this.believed = believed;
        this.clock = clock;
    }

    /** Returns an entry per node, except for those beyond {@link #NODES_MAX}. Never fails. */
    synchronized Uni<Map<String, Attested>> levels(Set<String> nodes) {
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
                .map(answer -> PollAnswer.read(answer, asked, clock.instant()))
                .onFailure().invoke(failure -> LOG.warnf(
                        "attestation service gives no answer nodes=%d cause=%s", asked.size(), failure))
                .onFailure().recoverWithItem(Map.of())
                .invoke(this::finished)
                .map(answer -> answer.isEmpty() ? PollAnswer.nothing(asked, clock.instant()) : answer)
                .memoize().indefinitely();
        return running;
    }

    private synchronized void finished(Map<String, Attested> answer) {
        known = answer;
        running = null;
    }
}
