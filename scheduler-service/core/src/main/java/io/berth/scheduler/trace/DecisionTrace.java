package io.berth.scheduler.trace;

import io.berth.scheduler.request.RequestNames;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.demand.PlacementRequest;
import io.berth.scheduler.text.WireNamed;
import io.berth.scheduler.timing.Phases;
import jakarta.annotation.Nullable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The decision trace of one request, whether or not it finds a host: the request, the state it was decided on, the
 * additions of prefilters, the claims that were tried, and where the time went. Mutable; the request's steps run one
 * after the other. It stores references and numbers only, so that an unread trace costs little.
 */
public final class DecisionTrace {
    /** Maximum attempts and prefilters that are kept per request; further attempts are only counted. */
    private static final int NOTES_MAX = 1_000;

    /** The kind of request. */
    public enum Kind implements WireNamed {
        SELECT,
        RESCHEDULE,
        MOVE,
        /** A request to nova-scheduler, decided here concurrently for comparison. */
        SHADOW;
    }

    /**
     * The request that is traced.
     *
     * @param body as the client sent it, JSON; not to be changed. Null if there is none to keep
     * @param requestId as in logs
     */
    public record Request(
            Kind kind, @Nullable byte[] body, String requestId, List<UUID> instances, @Nullable String project,
            @Nullable String flavor, RequestNames names) {
        public static Request of(
                Kind kind, @Nullable byte[] body, String requestId, List<UUID> instances, RequestSpec spec) {
            return new Request(
                    kind, body, requestId, instances, spec.projectId(), spec.flavor().name(), spec.names());
        }
    }

    /** The change that one prefilter made to the request. */
    public record Prefiltered(String name, PlacementRequest before, PlacementRequest after) {}

    /**
     * One claim that was tried.
     *
     * @param candidate index of the host's allocation request, from 0
     * @param outcome wire name of the claim's result
     * @param detail the reason why it does not hold; empty if it holds
     */
    public record Attempt(
            UUID instance, String host, @Nullable String nodename, int candidate, String outcome, String detail) {}

    private final long startedMillis;
    private final UUID id;
    private final Request request;
    private final boolean recorded;
    private final Phases phases = new Phases();
    private final List<Prefiltered> prefilters = new ArrayList<>();
    private final List<Attempt> attempts = new ArrayList<>();
    private long registryNumber;
    private @Nullable Instant registryAsOf;
    private @Nullable String fleetReplica;
    private long fleetVersion;
    private boolean ended;
    private List<String> warnings = List.of();
    private int rounds;
    private int attemptCount;

    private DecisionTrace(Request request, boolean recorded) {
        this.startedMillis = System.currentTimeMillis();
        this.id = DecisionId.at(startedMillis);
        this.request = request;
        this.recorded = recorded;
    }

    public static DecisionTrace of(Request request) {
        return new DecisionTrace(request, true);
    }

    /** Makes the trace of a dry run, which is not recorded. */
    public static DecisionTrace unrecorded(Request request) {
        return new DecisionTrace(request, false);
    }

    /** Makes the trace of an analysis; it is not recorded. */
    public static DecisionTrace ofQuestion(String requestId) {
        return unrecorded(new Request(Kind.SELECT, null, requestId, List.of(), null, null, RequestNames.NONE));
    }

    /** Returns the id that responses have as {@code decision_id}. */
    public UUID id() {
        return id;
    }

    /** Returns milliseconds since 1970, by this replica's clock. */
    public long startedMillis() {
        return startedMillis;
    }

    public Request request() {
        return request;
    }

    public boolean isRecorded() {
        return recorded;
    }

    public Phases phases() {
        return phases;
    }

    /** Begins a decision on this state of the registry. Discards the prefilters of the previous decision. */
    public void begins(long number, Instant asOf) {
        registryNumber = number;
        registryAsOf = asOf;
        fleetReplica = null;
        rounds++;
        prefilters.clear();
    }

    /** Notes the version that placement had seen when it responded, by that replica's count. */
    public void sees(String replica, long version) {
        fleetReplica = replica;
        fleetVersion = version;
    }

    /** Returns true the first time: a request ends once, and a later failure is not another decision. */
    public boolean ends() {
        boolean first = !ended;
        ended = true;
        return first;
    }

    /**
     * Returns how often the request was decided; more than once if it was decided again after a conflict was
     * resolved.
     */
    public int decisions() {
        return rounds;
    }

    public void prefiltered(String name, PlacementRequest before, PlacementRequest after) {
        if (before != after && prefilters.size() < NOTES_MAX) {
            prefilters.add(new Prefiltered(name, before, after));
        }
    }

    public List<Prefiltered> prefilters() {
        return prefilters;
    }

    public void tried(Attempt attempt) {
        attemptCount++;
        if (attempts.size() < NOTES_MAX) {
            attempts.add(attempt);
        }
    }

    /** Returns the first attempts. */
    public List<Attempt> attempts() {
        return attempts;
    }

    public int attemptCount() {
        return attemptCount;
    }

    public void warns(List<String> ofRequest) {
        warnings = ofRequest;
    }

    public List<String> warnings() {
        return warnings;
    }

    /** Returns a number that grows with every change that this replica saw; 0 before the registry was read. */
    public long registryNumber() {
        return registryNumber;
    }

    /** Returns the time by the database's clock; null before the registry was read. */
    public @Nullable Instant registryAsOf() {
        return registryAsOf;
    }

    /** Returns placement's replica; null if no candidates were queried, or placement does not return it. */
    public @Nullable String fleetReplica() {
        return fleetReplica;
    }

    /** Returns the version by the count of {@link #fleetReplica}. */
    public long fleetVersion() {
        return fleetVersion;
    }
}
