package io.berth.placement.candidate.answer;

import io.berth.placement.candidate.answer.AnswerForm.Requests;
import io.berth.placement.candidate.answer.AnswerForm.Summaries;
import io.berth.placement.candidate.answer.TreeRequests.OfTree;
import io.berth.placement.candidate.search.ResolvedQuery;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Provider;
import io.berth.placement.fleet.ProviderTree;
import jakarta.annotation.Nullable;
import java.util.List;

/**
 * The answer tree by tree ({@link TreeRequests}), as what changed against an answer that the client holds.
 *
 * <p>The body is {@code {"token", "held", "roots"}}. Each element of {@code roots} is
 * <ul>
 * <li>{@code [first, count]}: so many trees of the held answer from that position on, as they are;
 * <li>{@code {"held": position, "provider_summaries"}}: that tree of the held answer, its requests as they are;
 * <li>{@code {"root_provider_uuid", "provider_summaries", "allocation_requests"}}: a tree in full.
 * </ul>
 * Without a held answer ({@code "held": null}) all are of the last kind. What the list does not name is gone.
 */
final class AnswerDelta implements AnswerBody {
    /** About what one provider of a request takes, in memory and written. */
    private static final int PART_BYTES = 200;

    private final FleetView view;
    private final ResolvedQuery query;
    private final @Nullable HeldAnswer base;
    private final String token;
    private final String queryText;
    private final long bytesMax;
    private final TreeRequests found;
    private final JsonBytes out = new JsonBytes();
    private Comparison comparison;

    /**
     * @param base null when the client holds nothing that is known
     * @param token of this answer, should it differ from {@code base}
     * @param bytesMax a larger answer is not written to its end
     */
    AnswerDelta(
            FleetView view, ResolvedQuery query, @Nullable HeldAnswer base, String token, String queryText,
            long bytesMax) {
        this.view = view;
        this.query = query;
        // Under another name of a class, what the client holds has the old one.
        this.base = base != null && base.renames() == view.resourceClasses().renames() ? base : null;
        this.token = token;
        this.queryText = queryText;
        this.bytesMax = bytesMax;
        this.found = new TreeRequests(view, query);
    }

    /** As an answer to be remembered: nobody can serve the query. */
    static HeldAnswer nothing(FleetView view, String token, String queryText) {
        return new HeldAnswer(token, queryText, view.resourceClasses().renames(), new HeldTree[0]);
    }

    /** The body of {@link #nothing(FleetView, String, String)}. */
    static byte[] nothing(HeldAnswer answer) {
        return new RootList(new JsonBytes(), answer.token(), null).finish();
    }

    @Override
    public boolean take(ProviderTree anchor, Provider[] providers) {
        found.add(anchor, providers.clone());
        return !isTooLarge();
    }

    @Override
    public boolean isTooLarge() {
        return PART_BYTES * found.partCount() + out.length() > bytesMax;
    }

    @Override
    public long summaryCount() {
        return comparison().changedProviders;
    }

    @Override
    public byte[] finish() {
        Comparison compared = comparison();
        RequestWriter requests = new RequestWriter(view, query, Requests.OBJECT_WITH_MAPPINGS);
        ProviderSummaries summaries = new ProviderSummaries(view, Summaries.TREES, query.classIds());
        RootList roots = new RootList(out, answered().token(), base == null ? null : base.token());
        List<OfTree> trees = found.list();
        for (int i = 0; i < trees.size() && !isTooLarge(); i++) {
            switch (compared.states[i]) {
                case AS_HELD -> roots.asHeld(compared.heldAt[i]);
                case REQUESTS_AS_HELD -> roots.requestsAsHeld(compared.heldAt[i], trees.get(i), summaries);
                case CHANGED -> roots.inFull(trees.get(i), summaries, requests);
            }
        }
        return roots.finish();
    }

    /** The answer as it is to be remembered; the base itself when nothing changed. */
    HeldAnswer answered() {
        return comparison().answered;
    }

    private Comparison comparison() {
        if (comparison == null) {
            comparison = new Comparison(found.list());
        }
        return comparison;
    }

    private enum State {
        AS_HELD,
        /** The summaries changed, the requests did not: what a claim leaves behind. */
        REQUESTS_AS_HELD,
        CHANGED
    }

    /** Each tree found against the held answer. */
    private final class Comparison {
        final State[] states;
        /** Position in the held answer; meaningless for {@link State#CHANGED}. */
        final int[] heldAt;
        final HeldAnswer answered;
        long changedProviders;

        Comparison(List<OfTree> trees) {
            states = new State[trees.size()];
            heldAt = new int[trees.size()];
            HeldTree[] now = new HeldTree[trees.size()];
            var positions = base == null ? null : new HeldAnswer.Positions(base);
            boolean isAsHeld = base != null && base.trees().length == trees.size();
            for (int i = 0; i < now.length; i++) {
                OfTree tree = trees.get(i);
                heldAt[i] = positions == null ? -1 : positions.find(tree.tree().root().uuid());
                HeldTree held = heldAt[i] < 0 ? null : base.trees()[heldAt[i]];
                states[i] = compare(held, tree);
                now[i] = states[i] == State.AS_HELD ? held : HeldTree.of(tree.tree(), tree.requests());
                isAsHeld &= states[i] == State.AS_HELD && heldAt[i] == i;
                changedProviders += states[i] == State.AS_HELD ? 0 : tree.tree().size();
            }
            answered = isAsHeld ? base : new HeldAnswer(token, queryText, view.resourceClasses().renames(), now);
        }

        private static State compare(@Nullable HeldTree held, OfTree tree) {
            if (held == null || !held.hasRequests(tree.requests())) {
                return State.CHANGED;
            }
            return held.treeNumber() == tree.tree().number() ? State.AS_HELD : State.REQUESTS_AS_HELD;
        }
    }
}
