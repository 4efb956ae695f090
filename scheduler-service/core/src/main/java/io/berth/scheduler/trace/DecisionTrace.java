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
 * The notes on one request for its decision record, whether or not the request finds a host: the request, the state on
 * which it was decided, the changes by prefilters, the claims that were tried, and the duration of each phase. Mutable
 * and not thread-safe: the steps of a request run one after the other. It stores references and numbers only, so that a
 * trace that is not recorded costs little.
 */
public final class DecisionTrace {
    /**
     * Maximum attempts, and maximum prefilters, that are kept per request. Further attempts are only counted, further
     * prefilters ignored.
     */
    private static final int NOTES_MAX = 1_000;

    /** The kind of request. */
    public enum Kind implements WireNamed {
        SELECT,
        RESCHEDULE,
        MOVE,
        /** A request that nova-scheduler decides, and that this service decides too, only to compare the results. */
        SHADOW;
    }

    /**
     * The request that is traced.
     *
     * @param body the JSON body as the client sent it, UTF-8; must not be modified. Null if the request has no body to
     *     keep
     * @param requestId the id of the request in logs
     * @param instances uuids of the instances; empty if unknown
     * @param project id of the project; null if unknown
     * @param flavor name of the flavor; null if unknown
     * @param names names of the instance, project and user, for display
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

    /**
     * The change that one prefilter made to the query to placement.
     *
     * @param name name of the prefilter
     */
    public record Prefiltered(String name, PlacementRequest before, PlacementRequest after) {}

    /**
     * One attempted claim.
     *
     * @param candidate index of the allocation request among those of the host, from 0
     * @param outcome wire name of the result
     * @param detail the reason why the claim does not hold; empty if it holds
     */
    public record Attempt(
            UUID instance, String host, @Nullable String nodename, int candidate, String outcome, String detail) {}

    private final long startedMillis;
    private final UUID id;
    private final Request request;
    private final boolean isRecorded;
    private final Phases phases = new Phases();
    private final List<Prefiltered> prefilters = new ArrayList<>();
    private final List<Attempt> attempts = new ArrayList<>();
    private long registryNumber;
    private @Nullable Instant registryAsOf;
    private @Nullable String fleetReplica;
    private long fleetVersion;
    private boolean isEnded;
    private List<String> warnings = List.of();
    private int decisionCount;
    private int attemptCount;

    private DecisionTrace(Request request, boolean isRecorded) {
        this.startedMillis = System.currentTimeMillis();
        this.id = DecisionId.at(startedMillis);
        this.request = request;
        this.isRecorded = isRecorded;
    }

    /** Makes the trace of a request that is to be recorded. */
    public static DecisionTrace of(Request request) {
        return new DecisionTrace(request, true);
    }

    /** Makes the trace of a dry run, which is not recorded. */
    public static DecisionTrace unrecorded(Request request) {
        return new DecisionTrace(request, false);
    }

    /** Makes the trace of an analysis job, which is not recorded. */
    public static DecisionTrace forAnalysis(String requestId) {
        return unrecorded(new Request(Kind.SELECT, null, requestId, List.of(), null, null, RequestNames.NONE));
    }

    /** Returns the id of the decision, {@code decision_id} in responses. */
    public UUID id() {
        return id;
    }

    /** Returns the time at which the request started, in milliseconds since 1970 by this replica's clock. */
    public long startedMillis() {
        return startedMillis;
    }

    public Request request() {
        return request;
    }

    public boolean isRecorded() {
        return isRecorded;
    }

    public Phases phases() {
        return phases;
    }

    /**
     * Begins a decision. Discards the prefilters of the previous decision of this request.
     *
     * @param number number of the registry's state, as in {@link #registryNumber}
     * @param asOf time of this state, as in {@link #registryAsOf}
     */
    public void beginDecision(long number, Instant asOf) {
        registryNumber = number;
        registryAsOf = asOf;
        fleetReplica = null;
        decisionCount++;
        prefilters.clear();
    }

    /**
     * Notes the version of the fleet on which placement based its candidates.
     *
     * @param replica id of the replica of placement that responded
     * @param version counted by this replica, so that versions of different replicas cannot be compared
     */
    public void noteFleet(String replica, long version) {
        fleetReplica = replica;
        fleetVersion = version;
    }

    /**
     * Ends the request. Returns true for the first call only, because a request has one decision record, even if it
     * fails after its end.
     */
    public boolean endOnce() {
        boolean first = !isEnded;
        isEnded = true;
        return first;
    }

    /**
     * Returns how often the request was decided: more than once if an attempt was repeated, for example after a
     * conflict with another request was resolved, or on all candidates after the limited ones had no valid host.
     */
    public int decisionCount() {
        return decisionCount;
    }

    /** Notes the change by one prefilter, if it changed the query. */
    public void notePrefilter(String name, PlacementRequest before, PlacementRequest after) {
        if (before != after && prefilters.size() < NOTES_MAX) {
            prefilters.add(new Prefiltered(name, before, after));
        }
    }

    public List<Prefiltered> prefilters() {
        return prefilters;
    }

    /** Notes an attempted claim. */
    public void noteAttempt(Attempt attempt) {
        attemptCount++;
        if (attempts.size() < NOTES_MAX) {
            attempts.add(attempt);
        }
    }

    /** Returns the first {@value #NOTES_MAX} attempts, in order. */
    public List<Attempt> attempts() {
        return attempts;
    }

    /** Returns the number of attempts, including those that were not kept. */
    public int attemptCount() {
        return attemptCount;
    }

    public void setWarnings(List<String> requestWarnings) {
        warnings = requestWarnings;
    }

    public List<String> warnings() {
        return warnings;
    }

    /**
     * Returns the number of the registry's state, which grows with every change that this replica has read; 0 before a
     * decision began.
     */
    public long registryNumber() {
        return registryNumber;
    }

    /** Returns the time of the registry's state by PostgreSQL's clock; null before a decision began. */
    public @Nullable Instant registryAsOf() {
        return registryAsOf;
    }

    /**
     * Returns the id of the replica of placement that returned the candidates; null if the last decision queried no
     * candidates, or if placement does not return its id.
     */
    public @Nullable String fleetReplica() {
        return fleetReplica;
    }

    /** Returns the version of the fleet, as counted by {@link #fleetReplica}; meaningless if that is null. */
    public long fleetVersion() {
        return fleetVersion;
    }
}
