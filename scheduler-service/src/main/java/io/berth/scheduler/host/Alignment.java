package io.berth.scheduler.host;

import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;

/**
 * Which hosts of a list stood in an earlier one, as the same objects ({@code ==}): what was derived from those still
 * holds. Immutable.
 * <br>Cost: a comparison per host while both lists are in the same order, a look-up per host otherwise.
 */
public final class Alignment {
    private static final int NEW = -1;

    private final int[] before;
    private final int[] newPositions;
    private final boolean inPlace;

    private Alignment(int[] before, int newCount, int countBefore) {
        this.before = before;
        newPositions = new int[newCount];
        boolean moved = before.length != countBefore;
        int next = 0;
        for (int i = 0; i < before.length; i++) {
            if (before[i] == NEW) {
                newPositions[next++] = i;
            } else if (before[i] != i) {
                moved = true;
            }
        }
        inPlace = !moved;
    }

    public static Alignment of(List<HostState> now, List<HostState> before) {
        int[] positions = new int[now.size()];
        int newCount = 0;
        int shift = 0;
        IdentityHashMap<HostState, Integer> index = null;
        for (int i = 0; i < positions.length; i++) {
            HostState host = now.get(i);
            int expected = i + shift;
            HostState there = expected >= 0 && expected < before.size() ? before.get(expected) : null;
            if (there == host) {
                positions[i] = expected;
                continue;
            }
            if (there == null || !isSameNode(there, host)) {
                index = index == null ? index(before) : index;
                positions[i] = index.getOrDefault(host, NEW);
                shift = positions[i] == NEW ? shift : positions[i] - i;
            } else {
                positions[i] = NEW;
            }
            newCount += positions[i] == NEW ? 1 : 0;
        }
        return new Alignment(positions, newCount, before.size());
    }

    private static boolean isSameNode(HostState one, HostState other) {
        return one.host().equals(other.host())
                && one.nodename().equals(other.nodename())
                && Objects.equals(one.uuid(), other.uuid());
    }

    private static IdentityHashMap<HostState, Integer> index(List<HostState> hosts) {
        IdentityHashMap<HostState, Integer> index = new IdentityHashMap<>(hosts.size());
        for (int i = 0; i < hosts.size(); i++) {
            index.put(hosts.get(i), i);
        }
        return index;
    }

    /** Whether both lists are equally long and every host that is not new stands where it stood. */
    public boolean isInPlace() {
        return inPlace;
    }

    /** Whether both lists are the same, host by host. */
    public boolean isUnchanged() {
        return inPlace && newPositions.length == 0;
    }

    /** Positions of the hosts that the earlier list does not have, ascending. Not to be changed. */
    public int[] newPositions() {
        return newPositions;
    }

    /** A column of the earlier list in the order of this one; 0 for new hosts. A copy. */
    public double[] carried(double[] column) {
        if (inPlace) {
            return column.clone();
        }
        double[] carried = new double[before.length];
        for (int i = 0; i < carried.length; i++) {
            carried[i] = before[i] == NEW ? 0 : column[before[i]];
        }
        return carried;
    }

    /** As {@link #carried(double[])}. */
    public short[] carried(short[] column) {
        if (inPlace) {
            return column.clone();
        }
        short[] carried = new short[before.length];
        for (int i = 0; i < carried.length; i++) {
            carried[i] = before[i] == NEW ? 0 : column[before[i]];
        }
        return carried;
    }

    /** As {@link #carried(double[])}; null for new hosts. */
    public HostState[] carried(HostState[] column) {
        if (inPlace) {
            return column.clone();
        }
        HostState[] carried = new HostState[before.length];
        for (int i = 0; i < carried.length; i++) {
            carried[i] = before[i] == NEW ? null : column[before[i]];
        }
        return carried;
    }

    @Override
    public String toString() {
        return "Alignment" + Arrays.toString(before);
    }
}
