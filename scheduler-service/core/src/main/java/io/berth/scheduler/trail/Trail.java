package io.berth.scheduler.trail;

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
 * What one request notes on its way, whether it ends with a host or without: who asks for what, on which state of the
 * world, what prefilters added, which claims were tried, and where the time went. Mutable; the request's steps run one
 * after the other. Notes are references and numbers, so that one that nobody reads costs next to nothing.
 */
public final class Trail {
    /** Attempts and prefilters that are noted of one request; those behind are counted. */
    private static final int NOTES_MAX = 1_000;

    /** What is decided. */
    public enum Kind implements WireNamed {
        SELECT,
        RESCHEDULE,
        MOVE,
        /** What nova-scheduler is asked, tried beside it. */
        SHADOW;
    }

    /**
     * Who asks for what.
     *
     * @param body as the client sent it, JSON; not to be changed. Null where there is none to keep
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

    /** What one prefilter made of the request. */
    public record Prefiltered(String name, PlacementRequest before, PlacementRequest after) {}

    /**
     * One claim that was tried.
     *
     * @param candidate which of the host's ways to be claimed, from 0
     * @param outcome a word for it
     * @param detail why not; empty for one that holds
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

    private Trail(Request request, boolean recorded) {
        this.startedMillis = System.currentTimeMillis();
        this.id = DecisionId.at(startedMillis);
        this.request = request;
        this.recorded = recorded;
    }

    public static Trail of(Request request) {
        return new Trail(request, true);
    }

    /** Of a request that only tries what would be decided: no record is made of it. */
    public static Trail unrecorded(Request request) {
        return new Trail(request, false);
    }

    /** Of what is only asked, for nobody's instance. */
    public static Trail ofQuestion(String requestId) {
        return unrecorded(new Request(Kind.SELECT, null, requestId, List.of(), null, null, RequestNames.NONE));
    }

    /** What the caller is told as {@code decision_id}. */
    public UUID id() {
        return id;
    }

    /** Since 1970, by this replica's clock. */
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

    /** A decision begins, on this state of the registry. What was noted of the last one's query is of no interest now. */
    public void begins(long number, Instant asOf) {
        registryNumber = number;
        registryAsOf = asOf;
        fleetReplica = null;
        rounds++;
        prefilters.clear();
    }

    /** What placement had seen when it answered: a version by the count of that replica. */
    public void sees(String replica, long version) {
        fleetReplica = replica;
        fleetVersion = version;
    }

    /** True the first time: a request ends once, and what fails behind that is no other decision. */
    public boolean ends() {
        boolean first = !ended;
        ended = true;
        return first;
    }

    /** How often it was decided: again after something that was in the way is gone. */
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

    /** The first of them. */
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

    /** A number that grows with every change that this replica saw; 0 before the registry was looked at. */
    public long registryNumber() {
        return registryNumber;
    }

    /** By the database's clock; null before the registry was looked at. */
    public @Nullable Instant registryAsOf() {
        return registryAsOf;
    }

    /** Of placement; null where it was not asked for candidates, or does not say. */
    public @Nullable String fleetReplica() {
        return fleetReplica;
    }

    /** By the count of {@link #fleetReplica}. */
    public long fleetVersion() {
        return fleetVersion;
    }
}
