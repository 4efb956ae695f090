package io.berth.scheduler.placement.http;

import io.berth.scheduler.placement.CandidatesAnswer;
import io.berth.scheduler.placement.PlacementClient;
import io.berth.scheduler.placement.feed.CandidatesDeltaParser;
import io.berth.scheduler.placement.feed.CandidatesFeed;
import io.berth.scheduler.placement.feed.CandidatesFeed.Told;
import io.berth.scheduler.placement.feed.CandidatesParser;
import io.berth.scheduler.placement.feed.HeldCandidates;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpMethod;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * One question for candidates and its answer: as what changed, where placement is Berth's; in upstream's form, where it
 * is not (404), which is remembered for a minute.
 */
final class CandidatesExchange implements CandidatesFeed.Exchange {
    private static final String DELTA_PATH = "/berth/v1/allocation_candidates?";
    private static final String PLAIN_PATH = "/allocation_candidates?";
    private static final long PLAIN_NANOS = Duration.ofSeconds(60).toNanos();
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;

    private final PlacementHttp http;
    /** Null: as far as known, placement can tell changes. */
    private volatile @Nullable Long plainSince;

    CandidatesExchange(PlacementHttp http) {
        this.http = http;
    }

    @Override
    public Uni<Told> ask(String query, @Nullable HeldCandidates held, String requestId) {
        return (isPlain() ? plain(query, requestId) : delta(query, held, requestId))
                .onFailure().recoverWithItem(lost -> new Told(new CandidatesAnswer.Unreachable(why(lost)), held));
    }

    private boolean isPlain() {
        Long since = plainSince;
        return since != null && System.nanoTime() - since < PLAIN_NANOS;
    }

    private Uni<Told> delta(String query, @Nullable HeldCandidates held, String requestId) {
        StringBuilder path = new StringBuilder(DELTA_PATH).append(query);
        if (held != null) {
            // The latest last: a replica of an older version looks at that one alone.
            held.all().reversed().forEach(answer ->
                    path.append("&held=").append(URLEncoder.encode(answer.token(), StandardCharsets.UTF_8)));
        }
        return http.repeatable(HttpMethod.GET, path.toString(), PlacementClient.MICROVERSION, requestId).chain(answer -> {
            if (answer.status() == NOT_FOUND) {
                plainSince = System.nanoTime();
                return plain(query, requestId);
            }
            if (answer.status() != OK) {
                return Uni.createFrom().item(new Told(refused(answer), held));
            }
            return parsed(answer, () -> changed(answer, held))
                    .chain(told -> told.held() == null && held != null
                            ? delta(query, null, requestId)
                            : Uni.createFrom().item(told));
        });
    }

    private static Told changed(PlacementHttp.Answer answer, @Nullable HeldCandidates held) throws IOException {
        HeldCandidates now = CandidatesDeltaParser.parse(answer.body().getBytes(), held);
        return new Told(new CandidatesAnswer.Found(now.candidates()), now);
    }

    private Uni<Told> plain(String query, String requestId) {
        return http.repeatable(HttpMethod.GET, PLAIN_PATH + query, PlacementClient.MICROVERSION, requestId)
                .chain(answer -> answer.status() == OK
                        ? parsed(answer, () -> new Told(
                                new CandidatesAnswer.Found(
                                        CandidatesParser.parseCandidates(answer.body().getBytes())),
                                null))
                        : Uni.createFrom().item(new Told(refused(answer), null)));
    }

    private interface Parser {
        Told parse() throws IOException;
    }

    /** With nothing to hold if the body cannot be read. */
    private Uni<Told> parsed(PlacementHttp.Answer answer, Parser parser) {
        return answer.read(() -> {
            long started = System.nanoTime();
            try {
                Told told = parser.parse();
                http.metrics().parsed(answer.body().length(), System.nanoTime() - started);
                return told;
            } catch (IOException e) {
                return new Told(new CandidatesAnswer.Unreachable("unreadable answer: " + e.getMessage()), null);
            }
        });
    }

    private static CandidatesAnswer refused(PlacementHttp.Answer answer) {
        // Our own credentials being refused says nothing about hosts.
        return answer.status() == 401 || answer.status() == 403
                ? new CandidatesAnswer.Unreachable("placement refuses our token with " + answer.status())
                : new CandidatesAnswer.Refused(
                        answer.status(), PlacementRefusal.parse(answer.body().getBytes()).detail());
    }

    private static String why(Throwable lost) {
        return lost.getMessage() == null ? lost.getClass().getSimpleName() : lost.getMessage();
    }
}
