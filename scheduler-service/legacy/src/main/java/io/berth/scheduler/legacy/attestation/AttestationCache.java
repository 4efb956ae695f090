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
 * call fails, the level of every node is unknown, and the cache is emptied. Thread-safe.
 *
 * <p>Unlike in nova, a node that the service does not know is cached as unknown for the same time as other results,
 * instead of being queried for every request.
 * <br>Source: nova {@code scheduler/filters/trusted_filter.py} of the last release that had it.
 */
final class AttestationCache {
    private static final Logger LOG = Logger.getLogger(AttestationCache.class);
    /**
     * Maximum number of nodes in one call and in the cache; further nodes of a request are not queried, and their level
     * is unknown.
     */
    static final int NODES_MAX = 20_000;

    private final Function<Set<String>, Uni<JsonNode>> service;
    private final Duration verificationAgeMax;
    private final InstantSource clock;
    /** Results of the last call, by node name; empty before the first call and after a failed one. Guarded by this. */
    private Map<String, Attestation> cachedByNode = Map.of();
    /** The call in progress; null for none. Guarded by this. */
    private @Nullable Uni<Map<String, Attestation>> callInProgress;

    /**
     * @param service calls the attestation service for a set of node names
     * @param verificationAgeMax maximum age of a verification; an older one is queried again
     */
    AttestationCache(Function<Set<String>, Uni<JsonNode>> service, Duration verificationAgeMax, InstantSource clock) {
        this.service = service;
        this.verificationAgeMax = verificationAgeMax;
        this.clock = clock;
    }

    /**
     * Returns the attestations by node name, for at least these nodes; nodes beyond {@link #NODES_MAX} may be missing.
     * Never fails: if the call fails, the level of each queried node is unknown.
     */
    synchronized Uni<Map<String, Attestation>> attestationsOf(Set<String> nodes) {
        if (callInProgress != null) {
            return callInProgress.chain(callResults -> callResults.keySet().containsAll(nodes)
                    ? Uni.createFrom().item(callResults)
                    : attestationsOf(nodes));
        }
        Instant oldest = clock.instant().minus(verificationAgeMax);
        boolean isFresh = nodes.stream()
                .limit(NODES_MAX)
                .allMatch(node -> cachedByNode.containsKey(node)
                        && !cachedByNode.get(node).verifiedAt().isBefore(oldest));
        if (isFresh) {
            return Uni.createFrom().item(cachedByNode);
        }
        Set<String> queriedNodes = new HashSet<>();
        Stream.concat(nodes.stream(), cachedByNode.keySet().stream()).limit(NODES_MAX).forEach(queriedNodes::add);
        callInProgress = service.apply(queriedNodes)
                .map(results -> PollHostsResponse.read(results, queriedNodes, clock.instant()))
                .onFailure().invoke(failure -> LOG.warnf(
                        "call of the attestation service failed nodes=%d cause=%s", queriedNodes.size(), failure))
                .onFailure().recoverWithItem(Map.of())
                .invoke(this::endCall)
                .map(results -> results.isEmpty() ? PollHostsResponse.allUnknown(queriedNodes, clock.instant())
                        : results)
                .memoize().indefinitely();
        return callInProgress;
    }

    private synchronized void endCall(Map<String, Attestation> results) {
        cachedByNode = results;
        callInProgress = null;
    }
}
