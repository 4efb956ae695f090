package io.berth.scheduler.nova.shadow;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.nova.message.Message;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.selection.Selection;
import io.berth.scheduler.selection.SelectionOutcome;
import io.berth.scheduler.text.Uuids;
import io.berth.scheduler.trace.DecisionId;
import io.berth.scheduler.trace.DecisionTrace;
import io.berth.scheduler.weigher.RankedHost;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * The host that Berth would have chosen for one instance of a request to nova-scheduler.
 *
 * @param decision id of the decision's record
 * @param instance uuid of the instance
 * @param index position of the instance in its request, from 0
 * @param best Berth's choice; null if there was no host
 * @param equallyGood known provider uuids of the hosts that are as good as {@code best}, and of {@code best} itself:
 * they have the same weight, or chance would have decided between them ({@code host_subset_size}). Empty if Berth found
 * no host
 * @param ignoredHosts names of hosts that the request ignores; allocations of the instance on these hosts are older
 * than the request
 * @param requestId id of the user's request, for queries to placement
 * @param decidedMs milliseconds from the arrival of the message to Berth's choice
 * @param decidedNanos when Berth chose, in {@link System#nanoTime}
 */
record ShadowChoice(
        UUID decision,
        UUID instance,
        int index,
        @Nullable Best best,
        Set<String> equallyGood,
        List<String> ignoredHosts,
        String requestId,
        double decidedMs,
        long decidedNanos) {
    /** The maximum number of hosts in {@link #equallyGood}; further hosts count as different. */
    private static final int ALIKE_MAX = 1_000;
    private static final double NANOS_PER_MS = 1e6;

    /**
     * Berth's choice.
     *
     * @param uuid uuid of the host's resource provider; null if unknown
     */
    record Best(String host, @Nullable String uuid, double weight) {
        private static Best of(Selection selection) {
            HostState host = selection.host();
            return new Best(host.host(), host.uuid(), selection.weight());
        }
    }

    /** Returns the name of Berth's choice; null if there was no host. */
    @Nullable String hostName() {
        return best == null ? null : best.host();
    }

    /** Returns the weight of Berth's choice; null if there was no host. */
    @Nullable Double weight() {
        return best == null ? null : best.weight();
    }

    /**
     * Returns the milliseconds from the arrival of the message to a time.
     *
     * @param nanos the time in {@link System#nanoTime}
     */
    double msUntil(long nanos) {
        return decidedMs + (nanos - decidedNanos) / NANOS_PER_MS;
    }

    /**
     * Creates a choice for each instance of a request that was decided.
     *
     * @param selected the selected hosts; null if there is no host
     * @param subsetSize number of the best hosts among which chance decides, as configured ({@code host_subset_size})
     * @param receivedNanos when the message arrived, in {@link System#nanoTime}
     */
    static List<ShadowChoice> of(
            @Nullable SelectionOutcome.Selected selected, RequestSpec spec, DecisionTrace trace, int subsetSize,
            long receivedNanos) {
        long now = System.nanoTime();
        List<ShadowChoice> all = new ArrayList<>();
        for (int i = 0; i < spec.instanceUuids().size(); i++) {
            all.add(new ShadowChoice(
                    trace.id(),
                    UUID.fromString(spec.instanceUuids().get(i)),
                    i,
                    selected == null ? null : Best.of(selected.selections().get(i).getFirst()),
                    selected == null || selected.decision().rounds().size() <= i
                            ? Set.of()
                            : equallyGood(selected.decision().rounds().get(i).round().ranked(), subsetSize),
                    spec.ignoreHosts(),
                    trace.request().requestId(),
                    (now - receivedNanos) / NANOS_PER_MS,
                    now));
        }
        return all;
    }

    /**
     * Creates a choice without a host for each instance of a request that Berth cannot read: for each distinct uuid, up
     * to {@value NovaChoices#WAITING_MAX}. The choices have a new decision id, for which there is no record.
     */
    static List<ShadowChoice> ofUnreadableRequest(Message message) {
        UUID decisionId = DecisionId.at(System.currentTimeMillis());
        Set<UUID> instances = new LinkedHashSet<>();
        for (JsonNode each : message.args().path("instance_uuids")) {
            UUID uuid = Uuids.find(each.asText());
            if (uuid != null && instances.size() < NovaChoices.WAITING_MAX) {
                instances.add(uuid);
            }
        }
        List<ShadowChoice> all = new ArrayList<>();
        instances.forEach(uuid -> all.add(new ShadowChoice(
                decisionId, uuid, all.size(), null, Set.of(), List.of(), message.logId(), 0, System.nanoTime())));
        return all;
    }

    /**
     * Returns the provider uuids of the hosts that are as good as the best one: the first {@code subsetSize} ranked
     * hosts, and those of the same weight as the first one.
     */
    private static Set<String> equallyGood(List<RankedHost> ranked, int subsetSize) {
        Set<String> alike = new HashSet<>();
        for (int i = 0; i < ranked.size() && i < ALIKE_MAX; i++) {
            RankedHost each = ranked.get(i);
            if (i >= subsetSize && each.weight() != ranked.getFirst().weight()) {
                break;
            }
            if (each.host().uuid() != null) {
                alike.add(each.host().uuid());
            }
        }
        return Set.copyOf(alike);
    }
}
