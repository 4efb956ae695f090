package io.berth.placement.candidate.answer;

import io.berth.placement.candidate.answer.TreeRequests.OfTree;
import io.berth.placement.fleet.Provider;
import io.berth.placement.fleet.ProviderTree;
import jakarta.annotation.Nullable;

/** Writes the body that {@link AnswerDelta} describes, one tree after the other. */
final class RootList {
    private final JsonBytes out;
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
        writeAsHeld();
        out.next().put("{\"held\":").put(position);
        writeSummaries(tree.tree(), summaries);
        out.put('}');
    }

    void inFull(OfTree tree, ProviderSummaries summaries, RequestWriter requests) {
        writeAsHeld();
        out.next().put("{\"root_provider_uuid\":").put(tree.tree().root().uuid());
        writeSummaries(tree.tree(), summaries);
        out.put(",\"allocation_requests\":[");
        for (Provider[] providers : tree.requests()) {
            requests.write(providers, out.next());
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
            summaries.write(tree.node(node), out.next());
        }
        out.put('}');
    }

    private void writeAsHeld() {
        if (asHeldCount > 0) {
            out.next().put('[').put(asHeldFirst).put(',').put(asHeldCount).put(']');
            asHeldCount = 0;
        }
    }
}
