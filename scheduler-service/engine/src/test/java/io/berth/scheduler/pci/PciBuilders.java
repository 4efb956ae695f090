package io.berth.scheduler.pci;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Builders for the PCI tests: a test sets only what it is about. */
public final class PciBuilders {
    private PciBuilders() {}

    public static Pool aPool(int count) {
        return new Pool(count);
    }

    public static PciStats pools(Pool... pools) {
        return new PciStats(List.of(pools).stream().map(Pool::build).toList());
    }

    public static Request aRequest(int count) {
        return new Request(count);
    }

    /** Returns a map of pairs of names and values. */
    static Map<String, Object> members(Object... pairs) {
        var members = new LinkedHashMap<String, Object>();
        for (int i = 0; i < pairs.length; i += 2) {
            members.put((String) pairs[i], pairs[i + 1]);
        }
        return Collections.unmodifiableMap(members);
    }

    /** A pool; by default it has vendor 8086 and product 1520, is near no known cell, and has no tags. */
    public static final class Pool {
        private final int count;
        private String product = "1520";
        private Integer node;
        private Map<String, Object> tags = Map.of();

        private Pool(int count) {
            this.count = count;
        }

        public Pool product(String id) {
            product = id;
            return this;
        }

        public Pool node(Integer cellId) {
            node = cellId;
            return this;
        }

        public Pool tags(Object... pairs) {
            tags = members(pairs);
            return this;
        }

        public PciPool build() {
            return new PciPool("8086", product, node, count, tags);
        }
    }

    /** A request; by default it is for any device, by alias, with the policy legacy. */
    public static final class Request {
        private final int count;
        private String id = "r1";
        private List<Map<String, ?>> spec = List.of(Map.of());
        private String alias = "any";
        private PciNumaPolicy policy;

        private Request(int count) {
            this.count = count;
        }

        public Request id(String requestId) {
            id = requestId;
            return this;
        }

        @SafeVarargs
        public final Request spec(Map<String, ?>... alternatives) {
            spec = List.of(alternatives);
            return this;
        }

        public Request ofPort() {
            alias = null;
            return this;
        }

        public Request policy(PciNumaPolicy wanted) {
            policy = wanted;
            return this;
        }

        public PciRequest build() {
            return new PciRequest(id, count, spec, alias, policy);
        }
    }
}
