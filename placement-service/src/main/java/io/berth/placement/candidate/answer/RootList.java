package io.berth.placement.candidate.answer;

import io.berth.placement.candidate.answer.TreeRequests.OfTree;
import io.berth.placement.fleet.Provider;
import io.berth.placement.fleet.ProviderTree;
import jakarta.annotation.Nullable;

/** Writes the body that {@link AnswerDelta} describes, one tree after the other. */
final class RootList {
    private final JsonBytes out;
    private boolean isFirst = true;
    /** Trees as held that are not written yet: neighbours make one element. */
    private int asHeldFirst;
    private int asHeldCount;

    /** @param heldToken null for an answer in full */
    RootList(JsonBytes out, String token, @Nullable String heldToken) {
        this.out = out;
        out.put("{\"token\":\"").put(token).put("\",\"held\":");
        if (heldToken == null) {
            out.put("null");
        } else {
            out.put('"').put(heldToken).put('"');
        }
        out.put(",\"roots\":[");
    }

    void asHeld(int position) {
        if (asHeldCount > 0 && asHeldFirst + asHeldCount == position) {
            asHeldCount++;
            return;
        }
        writeAsHeld();
        asHeldFirst = position;
        asHeldCount = 1;
    }

    void requestsAsHeld(int position, OfTree tree, ProviderSummaries summaries) {
        begin();
        out.put("{\"held\":").put(position);
        writeSummaries(tree.tree(), summaries);
        out.put('}');
    }

    void inFull(OfTree tree, ProviderSummaries summaries, RequestWriter requests) {
        begin();
        out.put("{\"root_provider_uuid\":").put(tree.tree().root().uuid());
        writeSummaries(tree.tree(), summaries);
        out.put(",\"allocation_requests\":[");
        boolean first = true;
        for (Provider[] providers : tree.requests()) {
            if (!first) {
                out.put(',');
            }
            first = false;
            requests.write(providers, out);
        }
        out.put("]}");
    }

    byte[] finish() {
        writeAsHeld();
        return out.put("]}").toByteArray();
    }

    private void writeSummaries(ProviderTree tree, ProviderSummaries summaries) {
        out.put(",\"provider_summaries\":{");
        for (int node = 0; node < tree.size(); node++) {
            if (node > 0) {
                out.put(',');
            }
            summaries.write(tree.node(node), out);
        }
        out.put('}');
    }

    private void begin() {
        writeAsHeld();
        separate();
    }

    private void writeAsHeld() {
        if (asHeldCount > 0) {
            separate();
            out.put('[').put(asHeldFirst).put(',').put(asHeldCount).put(']');
            asHeldCount = 0;
        }
    }

    private void separate() {
        if (!isFirst) {
            out.put(',');
        }
        isFirst = false;
    }
}
