package io.berth.scheduler.decision;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.filter.HostFilter;
import io.berth.scheduler.filter.Reason;
import io.berth.scheduler.filter.Verdict;
import io.berth.scheduler.host.Alignment;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * What repeatable filters, one after the other, made of the hosts of a round, as columns. Immutable: the next request
 * of the same shape asks them about the hosts that are new since. Reasons are not kept: a filter says them again.
 */
final class FilteredHosts {
    private static final short NOBODY = -1;

    private final List<HostState> hosts;
    private final List<HostFilter> filters;
    private final RequestSpec shape;
    private final Options options;
    /** By position of the host: as it left the last filter; null if it was removed. */
    private final HostState[] after;
    /** By position of the host: which filter removed it, {@link #NOBODY} if none did. */
    private final short[] removedBy;

    private final List<HostState> survivors;

    private FilteredHosts(
            List<HostState> hosts,
            List<HostFilter> filters,
            RequestSpec shape,
            Options options,
            HostState[] after,
            short[] removedBy) {
        // A view of an earlier round would hold on to all of that round.
        this.hosts = List.copyOf(hosts);
        this.filters = filters;
        this.shape = shape;
        this.options = options;
        this.after = after;
        this.removedBy = removedBy;
        survivors = compact(after);
    }

    /**
     * @param before by the same filters and options, for a request of the same shape; null: nothing is known
     * @return null if a filter cannot evaluate the request
     */
    static @Nullable FilteredHosts of(
            List<HostState> hosts,
            List<HostFilter> filters,
            RequestSpec shape,
            Options options,
            @Nullable FilteredHosts before) {
        if (before == null) {
            var after = new HostState[hosts.size()];
            var removedBy = new short[hosts.size()];
            for (int i = 0; i < after.length; i++) {
                if (!evaluate(hosts.get(i), filters, shape, options, i, after, removedBy)) {
                    return null;
                }
            }
            return new FilteredHosts(hosts, filters, shape, options, after, removedBy);
        }
        Alignment alignment = Alignment.of(hosts, before.hosts);
        if (alignment.isUnchanged()) {
            return before;
        }
        HostState[] after = alignment.carried(before.after);
        short[] removedBy = alignment.carried(before.removedBy);
        for (int i : alignment.newPositions()) {
            if (!evaluate(hosts.get(i), filters, shape, options, i, after, removedBy)) {
                return null;
            }
        }
        return new FilteredHosts(hosts, filters, shape, options, after, removedBy);
    }

    /** False if a filter cannot evaluate the request. */
    private static boolean evaluate(
            HostState host,
            List<HostFilter> filters,
            RequestSpec shape,
            Options options,
            int position,
            HostState[] after,
            short[] removedBy) {
        HostState left = host;
        for (short f = 0; f < filters.size(); f++) {
            switch (filters.get(f).check(left, shape, options)) {
                case Verdict.Reject _ -> {
                    after[position] = null;
                    removedBy[position] = f;
                    return true;
                }
                case Verdict.Failed _ -> {
                    return false;
                }
                case Verdict.Remaining remaining -> left = remaining.applyTo(left);
            }
        }
        after[position] = left;
        removedBy[position] = NOBODY;
        return true;
    }

    private static List<HostState> compact(HostState[] after) {
        var left = new HostState[after.length];
        int count = 0;
        for (HostState host : after) {
            if (host != null) {
                left[count++] = host;
            }
        }
        return Collections.unmodifiableList(Arrays.asList(count == left.length ? left : Arrays.copyOf(left, count)));
    }

    /** In the order they entered. */
    List<HostState> survivors() {
        return survivors;
    }

    /** Of the hosts of another round, those this one did not have. */
    int countNew(List<HostState> hosts) {
        return Alignment.of(hosts, this.hosts).newPositions().length;
    }

    int hostCount() {
        return hosts.size();
    }

    /** With the first rejections of each filter; none for the filters that no host reached. */
    List<FilterStep> steps() {
        int[] removed = new int[filters.size()];
        var samples = new ArrayList<List<Rejection>>(Collections.nCopies(filters.size(), List.of()));
        for (int i = 0; i < removedBy.length; i++) {
            short filter = removedBy[i];
            if (filter == NOBODY) {
                continue;
            }
            if (removed[filter] == 0) {
                samples.set(filter, new ArrayList<>(FilterStep.SAMPLE_MAX));
            }
            if (removed[filter]++ < FilterStep.SAMPLE_MAX) {
                samples.get(filter).add(new Rejection(HostName.of(hosts.get(i)), reason(hosts.get(i))));
            }
        }
        var steps = new ArrayList<FilterStep>(filters.size());
        int left = hosts.size();
        for (int f = 0; f < removed.length && left > 0; f++) {
            int out = left - removed[f];
            steps.add(new FilterStep(
                    filters.get(f).name(),
                    left,
                    out,
                    List.of(),
                    List.of(),
                    samples.get(f),
                    out == 0 ? nearestRemovedBy(f) : null));
            left = out;
        }
        return steps;
    }

    private @Nullable Rejection nearestRemovedBy(int filter) {
        Rejection nearest = null;
        for (int i = 0; i < removedBy.length; i++) {
            if (removedBy[i] == filter) {
                Reason reason = reason(hosts.get(i));
                if (nearest == null || reason.isNearerThan(nearest.reason())) {
                    nearest = new Rejection(HostName.of(hosts.get(i)), reason);
                }
            }
        }
        return nearest;
    }

    private Reason reason(HostState removed) {
        HostState left = removed;
        for (HostFilter filter : filters) {
            switch (filter.check(left, shape, options)) {
                case Verdict.Reject(Reason reason) -> {
                    return reason;
                }
                case Verdict.Remaining remaining -> left = remaining.applyTo(left);
                case Verdict.Failed failed -> throw new IllegalStateException(failed.detail());
            }
        }
        throw new IllegalStateException(removed.host() + " was removed and now is not: a repeatable filter is none");
    }
}
