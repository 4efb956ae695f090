package io.berth.scheduler.record;

import io.berth.scheduler.host.HostState;
import jakarta.annotation.Nullable;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The hosts that a decision considered, also called the offered hosts, as four-byte hashes of the names of hosts and
 * nodes. Names of the same length that differ only in digits among their last six characters (host-0001, host-0002)
 * have different hashes. Any other name that was not considered matches one of a thousand hashes with a probability of
 * about one in four million.
 *
 * <p>Concurrent decisions consider much the same hosts. So a batch of records stores the hashes once ({@link
 * BatchHashes}), and each record has one bit per hash.
 */
final class OfferedHosts {
    /** Maximum hosts; the considered hosts of a larger decision are not recorded. */
    private static final int HOSTS_MAX = 4_096;

    private final int[] hashes;

    private OfferedHosts(int[] hashes) {
        this.hashes = hashes;
    }

    /**
     * Returns the hosts of a decision; null for no hosts, and for more than {@value #HOSTS_MAX}.
     *
     * @param last an earlier result, which is returned again if it has the same hosts in the same order
     */
    static @Nullable OfferedHosts of(List<HostState> hosts, @Nullable OfferedHosts last) {
        if (hosts.isEmpty() || hosts.size() > HOSTS_MAX) {
            return null;
        }
        if (last != null && last.hasHosts(hosts)) {
            return last;
        }
        int[] hashes = new int[2 * hosts.size()];
        int count = 0;
        for (HostState host : hosts) {
            hashes[count++] = host.host().hashCode();
            if (!host.nodename().equals(host.host())) {
                hashes[count++] = host.nodename().hashCode();
            }
        }
        return new OfferedHosts(Arrays.copyOf(hashes, count));
    }

    private boolean hasHosts(List<HostState> hosts) {
        int position = 0;
        for (HostState host : hosts) {
            int nameCount = host.nodename().equals(host.host()) ? 1 : 2;
            if (position + nameCount > hashes.length
                    || hashes[position] != host.host().hashCode()
                    || nameCount == 2 && hashes[position + 1] != host.nodename().hashCode()) {
                return false;
            }
            position += nameCount;
        }
        return position == hashes.length;
    }

    /**
     * Returns the hosts of one stored record.
     *
     * @param names the hashes of the names in the batch, four bytes each, see {@link BatchHashes#toByteArray}
     * @param bits the bit set of the record, see {@link BatchHashes#addHosts}
     */
    static OfferedHosts of(byte[] names, byte[] bits) {
        ByteBuffer all = ByteBuffer.wrap(names);
        return new OfferedHosts(BitSet.valueOf(bits).stream().map(name -> all.getInt(name * Integer.BYTES)).toArray());
    }

    /** Returns whether a host or node of this name was considered. */
    boolean contains(String name) {
        int nameHash = name.hashCode();
        for (int hash : hashes) {
            if (hash == nameHash) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether both have the same hosts in the same order. */
    boolean hasSameHostsAs(@Nullable OfferedHosts other) {
        return other == this || other != null && Arrays.equals(hashes, other.hashes);
    }

    /** Returns the estimated bytes in memory. */
    long size() {
        return (long) Integer.BYTES * hashes.length;
    }

    /** The hashes of the names of all hosts in a batch of records, each once. Not thread-safe. */
    static final class BatchHashes {
        private final Map<Integer, Integer> positions = new HashMap<>();
        private @Nullable OfferedHosts last;
        private byte[] lastBits = {};

        /**
         * Adds the hashes of a record to the batch, and returns the record's bit set: bit n is set if the record has
         * the hash at position n of the batch.
         */
        byte[] addHosts(OfferedHosts hosts) {
            if (hosts != last) {
                BitSet bits = new BitSet(positions.size());
                for (int hash : hosts.hashes) {
                    Integer earlierPosition = positions.putIfAbsent(hash, positions.size());
                    bits.set(earlierPosition == null ? positions.size() - 1 : earlierPosition);
                }
                last = hosts;
                lastBits = bits.toByteArray();
            }
            return lastBits;
        }

        /** Returns the hashes of the batch, four bytes each, big-endian. */
        byte[] toByteArray() {
            ByteBuffer all = ByteBuffer.allocate(Integer.BYTES * positions.size());
            positions.forEach((hash, position) -> all.putInt(position * Integer.BYTES, hash));
            return all.array();
        }
    }
}
