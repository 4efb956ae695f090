package io.berth.scheduler.placement.feed;

import static io.berth.scheduler.placement.feed.CandidatesParser.expect;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.berth.scheduler.placement.AllocationCandidates;
import io.berth.scheduler.placement.AllocationRequest;
import io.berth.scheduler.placement.ProviderSummary;
import io.berth.scheduler.placement.RootCandidates;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the answer of {@code GET /berth/v1/allocation_candidates} and applies it to the answer held that it names. Trees
 * that placement calls unchanged, or that are as the latest answer has them, stay the objects they are. The form is told by placement's {@code AnswerDelta}.
 */
public final class CandidatesDeltaParser {
    private final JsonParser json;
    private final @Nullable HeldCandidates held;
    /** Of the answer that this one is told against. */
    private List<RootCandidates> heldRoots = List.of();

    private CandidatesDeltaParser(JsonParser json, @Nullable HeldCandidates held) {
        this.json = json;
        this.held = held;
    }

    /** Throws IOException for a body of another form, or one told against another answer than {@code held}. */
    public static HeldCandidates parse(byte[] body, @Nullable HeldCandidates held) throws IOException {
        try (JsonParser json = CandidatesParser.open(body)) {
            return new CandidatesDeltaParser(json, held).answer();
        }
    }

    private HeldCandidates answer() throws IOException {
        expect(json.nextToken(), JsonToken.START_OBJECT);
        String token = null;
        HeldCandidates base = null;
        List<RootCandidates> roots = null;
        for (String member = json.nextFieldName(); member != null; member = json.nextFieldName()) {
            json.nextToken();
            switch (member) {
                case "token" -> token = json.getValueAsString();
                case "held" -> {
                    base = base(json.getValueAsString());
                    heldRoots = base == null ? List.of() : base.candidates().roots();
                }
                case "roots" -> roots = roots();
                default -> json.skipChildren();
            }
        }
        if (token == null || roots == null) {
            throw new IOException("placement's answer has no token or no roots");
        }
        if (held == null) {
            return new HeldCandidates(token, new AllocationCandidates(roots));
        }
        AllocationCandidates now = isAsLatest(roots) ? held.candidates() : new AllocationCandidates(roots);
        List<HeldCandidates> others = new ArrayList<>(held.all());
        String told = base == null ? null : base.token();
        others.removeIf(answer -> answer.token().equals(told));
        return new HeldCandidates(
                token, now, others.subList(0, Math.min(others.size(), HeldCandidates.ANSWERS_MAX - 1)));
    }

    /** Null when the answer is told in full. */
    private @Nullable HeldCandidates base(@Nullable String token) throws IOException {
        if (token == null) {
            return null;
        }
        for (HeldCandidates answer : held == null ? List.<HeldCandidates>of() : held.all()) {
            if (answer.token().equals(token)) {
                return answer;
            }
        }
        throw new IOException("placement's answer is told against another one than is held");
    }

    /**
     * Puts the latest answer's trees in the place of equal ones, which another replica told; they stand at the same
     * positions unless hosts came or went. True when nothing else is left.
     */
    private boolean isAsLatest(List<RootCandidates> roots) {
        List<RootCandidates> latest = held.candidates().roots();
        boolean same = roots.size() == latest.size();
        for (int i = 0; i < Math.min(roots.size(), latest.size()); i++) {
            if (roots.get(i) != latest.get(i) && roots.get(i).equals(latest.get(i))) {
                roots.set(i, latest.get(i));
            }
            same &= roots.get(i) == latest.get(i);
        }
        return same;
    }

    private List<RootCandidates> roots() throws IOException {
        expect(json.currentToken(), JsonToken.START_ARRAY);
        List<RootCandidates> roots = new ArrayList<>(Math.max(16, heldRoots.size() + 1));
        for (JsonToken element = json.nextToken(); element != JsonToken.END_ARRAY; element = json.nextToken()) {
            if (element == JsonToken.START_ARRAY) {
                roots.addAll(span());
            } else {
                expect(element, JsonToken.START_OBJECT);
                roots.add(root());
            }
        }
        return roots;
    }

    /** {@code [first, count]} */
    private List<RootCandidates> span() throws IOException {
        int first = json.nextIntValue(-1);
        int count = json.nextIntValue(-1);
        expect(json.nextToken(), JsonToken.END_ARRAY);
        if (first < 0 || count < 0 || first > heldRoots.size() - count) {
            throw new IOException("placement names trees that are not held: " + count + " from " + first);
        }
        return heldRoots.subList(first, first + count);
    }

    private RootCandidates root() throws IOException {
        RootCandidates before = null;
        String rootUuid = null;
        List<ProviderSummary> summaries = null;
        List<AllocationRequest> requests = null;
        for (String member = json.nextFieldName(); member != null; member = json.nextFieldName()) {
            json.nextToken();
            switch (member) {
                case "held" -> before = heldRoot(json.getValueAsInt(-1));
                case "root_provider_uuid" -> rootUuid = json.getValueAsString();
                case "provider_summaries" -> summaries = List.copyOf(CandidatesParser.summaries(json).values());
                case "allocation_requests" -> requests = CandidatesParser.requests(json);
                default -> json.skipChildren();
            }
        }
        if (before != null) {
            rootUuid = before.rootUuid();
            requests = before.requests();
        }
        if (rootUuid == null || summaries == null || requests == null) {
            throw new IOException("placement's answer tells of a tree in part only");
        }
        return new RootCandidates(rootUuid, summaries, requests);
    }

    private RootCandidates heldRoot(int position) throws IOException {
        if (position < 0 || position >= heldRoots.size()) {
            throw new IOException("placement names a tree that is not held: " + position);
        }
        return heldRoots.get(position);
    }
}
