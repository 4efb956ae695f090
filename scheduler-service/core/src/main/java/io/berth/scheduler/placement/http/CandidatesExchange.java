package io.berth.scheduler.placement.http;

import io.berth.scheduler.heap.FleetHeap;
import io.berth.scheduler.placement.CandidatesResult;
import io.berth.scheduler.placement.PlacementClient;
import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.WithoutInventory;
import io.berth.scheduler.placement.feed.CandidatesFeed;
import io.berth.scheduler.placement.feed.CandidatesParser;
import io.berth.scheduler.placement.feed.KnownTrees;
import io.berth.scheduler.placement.feed.References;
import io.berth.scheduler.placement.feed.ReferencesParser;
import io.berth.scheduler.placement.feed.TreeExchange;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;

/**
 * Sends one query for candidates and parses the response. Berth's Placement responds with references to provider trees,
 * so that it need not send trees again that this replica has already ({@link TreeExchange}); OpenStack's Placement
 * responds in the standard form. After a 404 on Berth's route, placement is treated as OpenStack's for a minute.
 * Queries on a scenario use the same trees ({@link KnownTrees}).
 */
@Singleton
final class CandidatesExchange implements CandidatesFeed.Exchange, KnownTrees {
    private static final String REFERENCES_PATH = "/berth/v1/candidates?";
    private static final String TREES_PATH = "/berth/v1/provider_trees";
    private static final String STANDARD_PATH = "/allocation_candidates?";
    /** Time after which Berth's route is tried again. */
    private static final long OPENSTACK_NANOS = Duration.ofSeconds(60).toNanos();
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;

    private final PlacementHttp http;
    private final TreeExchange trees;
    /** When Berth's route last returned 404, as {@code System.nanoTime}; null if the route never did. */
    private volatile @Nullable Long routeMissingSinceNanos;

    CandidatesExchange(PlacementHttp http, FleetHeap heap) {
        this.http = http;
        this.trees = new TreeExchange(heap::treeBytesMax);
    }

    /** A response with a status other than 200: placement refused the query, or lacks the route. */
    private static final class UnusableResponse extends RuntimeException {
        private final transient PlacementHttp.Response answer;

        UnusableResponse(PlacementHttp.Response answer) {
            super("placement answered " + answer.status(), null, false, false);
            this.answer = answer;
        }
    }

    @Override
    public Uni<CandidatesResult> ask(String query, String requestId) {
        return (isOpenstack() ? askStandard(query, requestId) : askForReferences(query, requestId))
                .onFailure(UnusableResponse.class).recoverWithItem(unusable -> refused(unusable.answer))
                .onFailure().recoverWithItem(failure -> new CandidatesResult.Unreachable(PlacementHttp.why(failure)));
    }

    private boolean isOpenstack() {
        Long since = routeMissingSinceNanos;
        return since != null && System.nanoTime() - since < OPENSTACK_NANOS;
    }

    private Uni<CandidatesResult> askForReferences(String query, String requestId) {
        String path = REFERENCES_PATH + query + trees.positionsAsParameters();
        return http.repeatable(HttpMethod.GET, path, PlacementClient.MICROVERSION, requestId)
                .chain(answer -> read(answer, ReferencesParser::parse))
                .chain(answer -> trees.resolve(answer, ids -> treesOf(ids, requestId)))
                .<CandidatesResult>map(CandidatesResult.Found::new)
                .onFailure(CandidatesExchange::isRouteMissing).recoverWithUni(() -> {
                    routeMissingSinceNanos = System.nanoTime();
                    return askStandard(query, requestId);
                });
    }

    private Uni<ReferencesParser.Trees> treesOf(String ids, String requestId) {
        return http.repeatable(HttpMethod.POST, TREES_PATH, PlacementClient.MICROVERSION, Buffer.buffer(ids), requestId)
                .chain(received -> read(received, ReferencesParser::parseTrees))
                // The scheduler made this second query itself, so the client's request is not to blame for a refusal. A
                // 404 stays: the caller then uses OpenStack's route.
                .onFailure(failure -> failure instanceof UnusableResponse && !isRouteMissing(failure))
                .transform(refused -> new PlacementHttp.PlacementUnavailable(PlacementHttp.why(refused)));
    }

    @Override
    public List<String> positions() {
        return isOpenstack() ? List.of() : trees.positions();
    }

    @Override
    public void learn(ReferencesParser.Trees changed) {
        trees.learn(changed);
    }

    @Override
    public @Nullable AllocationCandidates find(References answer) {
        return trees.find(answer);
    }

    @Override
    public Uni<Void> askForLacking(References answer, String requestId) {
        return trees.askForLacking(answer, ids -> treesOf(ids, requestId)).onFailure().recoverWithNull();
    }

    private static boolean isRouteMissing(Throwable failure) {
        return failure instanceof UnusableResponse unusable && unusable.answer.status() == NOT_FOUND;
    }

    /**
     * Queries OpenStack's Placement, which lacks the parameter of Berth's that {@link WithoutInventory} emulates.
     * Queries again without limit if the limit may have cut off candidates; if that fails, returns the first response.
     */
    private Uni<CandidatesResult> askStandard(String query, String requestId) {
        WithoutInventory emulated = WithoutInventory.of(query);
        return askStandardOnce(emulated.query(), requestId)
                .chain(found -> emulated.isCutShort(found)
                        ? askStandardOnce(emulated.withoutLimit().query(), requestId).onFailure().recoverWithItem(found)
                        : Uni.createFrom().item(found))
                .map(found -> new CandidatesResult.Found(emulated.withoutExcludedTrees(found)));
    }

    private Uni<AllocationCandidates> askStandardOnce(String query, String requestId) {
        return http.repeatable(HttpMethod.GET, STANDARD_PATH + query, PlacementClient.MICROVERSION, requestId)
                .chain(answer -> read(answer, CandidatesParser::parseCandidates));
    }

    /**
     * Parses a response, and measures the parsing. Fails with {@link UnusableResponse} for any status other than 200.
     */
    private <T> Uni<T> read(PlacementHttp.Response answer, PlacementHttp.Response.Parser<T> parser) {
        return answer.status() != OK ? Uni.createFrom().failure(new UnusableResponse(answer)) : answer.read(body -> {
            long started = System.nanoTime();
            T read = parser.parse(body);
            http.metrics().recordParsing(body.length, System.nanoTime() - started);
            return read;
        });
    }

    private static CandidatesResult refused(PlacementHttp.Response answer) {
        String refusesUs = answer.credentialsRefusal();
        return refusesUs != null
                ? new CandidatesResult.Unreachable(refusesUs)
                : new CandidatesResult.Refused(
                        answer.status(), PlacementRefusal.parse(answer.body().getBytes()).detail());
    }
}
