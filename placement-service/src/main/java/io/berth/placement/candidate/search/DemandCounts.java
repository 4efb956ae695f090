package io.berth.placement.candidate.search;

import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.placement.candidate.query.CandidateQuery;
import io.berth.placement.candidate.query.RequestGroup;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Inventory;
import io.berth.placement.fleet.Provider;
import io.berth.placement.fleet.ProviderTree;
import io.berth.placement.http.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * Why a query has few candidates or none: for each of its demands how many trees meet it by itself, and how many are
 * left after it and all before it; in one pass over a view. What suits comes first, then what is demanded of the root
 * (a disabled host among those that suit), and amounts come last, so that what is full is told from what does not
 * suit. What groups can only meet together ({@code group_policy}, {@code same_subtree}, one class from one provider
 * for several groups) is not among the demands. Pure; cost: providers times demands.
 */
public final class DemandCounts {
    private static final int[] ROOT = {};

    private final FleetView view;
    private final List<Demand> demands = new ArrayList<>();
    private final Map<UUID, List<Provider>> sharing = new HashMap<>();
    private final int partCount;
    private int roots;

    private DemandCounts(FleetView view, CandidateQuery query) {
        this.view = view;
        this.partCount = query.groups().stream()
                .mapToInt(group -> group.isSuffixed() ? 1 : group.resources().size())
                .sum();
        List<Demand> amounts = new ArrayList<>();
        int part = 0;
        for (RequestGroup group : query.groups()) {
            int count = group.isSuffixed() ? 1 : group.resources().size();
            addConditions(group, IntStream.range(part, part + count).toArray());
            int of = part;
            for (var wanted : group.resources().entrySet()) {
                amounts.add(new Demand(
                        "resources" + group.suffix() + "=" + wanted.getKey() + ":" + wanted.getValue(),
                        of, view.resourceClasses().find(wanted.getKey()).id(), wanted.getValue()));
                of += group.isSuffixed() ? 0 : 1;
            }
            part += count;
        }
        query.rootRequired().stream().sorted().forEach(name -> demands.add(
                new Demand("root_required=" + name, ROOT, false, hasAny(Set.of(name)))));
        query.rootForbidden().stream().sorted().forEach(name -> demands.add(
                new Demand("root_required=!" + name, ROOT, false, not(hasAny(Set.of(name))))));
        demands.addAll(amounts);
        findSharing();
    }

    /** @throws io.berth.placement.http.ApiException 400 for a name that the view does not know */
    public static DemandCounts of(FleetView view, CandidateQuery query) {
        // Refuses names that nobody knows.
        ResolvedQuery.of(view, query);
        DemandCounts counts = new DemandCounts(view, query);
        for (int slot = 0; slot < view.slotCount(); slot++) {
            ProviderTree tree = view.tree(slot);
            if (tree != null) {
                counts.roots++;
                counts.count(tree);
            }
        }
        return counts;
    }

    private void addConditions(RequestGroup group, int[] parts) {
        String suffix = group.suffix();
        boolean suffixed = group.isSuffixed();
        if (group.inTree() != null) {
            Provider named = view.find(group.inTree());
            long rootId = named == null ? 0 : named.rootId();
            demands.add(new Demand("in_tree" + suffix + "=" + group.inTree(), parts, false,
                    (provider, root, visiting) -> (suffixed || !visiting) && provider.rootId() == rootId));
        }
        // An aggregate of the root spans the tree, for the unsuffixed group alone.
        for (Set<UUID> each : group.memberOf()) {
            UUID[] anyOf = each.toArray(UUID[]::new);
            demands.add(new Demand("member_of" + suffix + "=in:" + joined(each), parts, false,
                    (provider, root, visiting) -> provider.isInAny(anyOf)
                            || (!suffixed && !visiting && root.isInAny(anyOf))));
        }
        if (!group.forbiddenAggregates().isEmpty()) {
            UUID[] forbidden = group.forbiddenAggregates().toArray(UUID[]::new);
            demands.add(new Demand(
                    "member_of" + suffix + "=!in:" + joined(group.forbiddenAggregates()), parts, false,
                    (provider, root, visiting) -> !provider.isInAny(forbidden)
                            && (suffixed || !root.isInAny(forbidden))));
        }
        for (Set<String> anyOf : group.required()) {
            String names = String.join(",", new TreeSet<>(anyOf));
            demands.add(new Demand("required" + suffix + "=" + (anyOf.size() > 1 ? "in:" : "") + names, parts,
                    !suffixed, hasAny(anyOf)));
        }
        for (String name : new TreeSet<>(group.forbidden())) {
            demands.add(new Demand("required" + suffix + "=!" + name, parts, false, not(hasAny(Set.of(name)))));
        }
    }

    private Demand.Test hasAny(Collection<String> traits) {
        int[] ids = traits.stream().mapToInt(name -> view.traits().find(name).id()).toArray();
        return (provider, root, visiting) -> provider.hasAny(ids);
    }

    private static Demand.Test not(Demand.Test test) {
        return (provider, root, visiting) -> !test.isMetBy(provider, root, visiting);
    }

    private static String joined(Collection<UUID> uuids) {
        return String.join(",", uuids.stream().map(UUID::toString).sorted().toList());
    }

    private void findSharing() {
        SharingProviders.forEach(view, provider -> {
            for (UUID aggregate : provider.aggregates()) {
                sharing.computeIfAbsent(aggregate, made -> new ArrayList<>()).add(provider);
            }
        });
    }

    /** Of this tree, and those of other trees that share with it. */
    private Provider[] providers(ProviderTree tree) {
        Provider[] own = new Provider[tree.size()];
        Map<Long, Provider> visiting = sharing.isEmpty() ? Map.of() : new LinkedHashMap<>();
        for (int node = 0; node < own.length; node++) {
            own[node] = tree.node(node);
            for (int i = 0; !sharing.isEmpty() && i < own[node].aggregates().length; i++) {
                for (Provider other : sharing.getOrDefault(own[node].aggregates()[i], List.of())) {
                    if (other.rootId() != tree.root().id()) {
                        visiting.put(other.id(), other);
                    }
                }
            }
        }
        Provider[] all = Arrays.copyOf(own, own.length + visiting.size());
        int at = own.length;
        for (Provider other : visiting.values()) {
            all[at++] = other;
        }
        return all;
    }

    private void count(ProviderTree tree) {
        Provider root = tree.root();
        Provider[] providers = providers(tree);
        // By part the providers that meet the demands so far.
        boolean[][] open = new boolean[partCount][providers.length];
        for (boolean[] each : open) {
            Arrays.fill(each, true);
        }
        boolean alive = true;
        // Whether it meets all that is no amount.
        boolean suits = true;
        for (Demand demand : demands) {
            boolean met;
            boolean byItself;
            if (demand.parts.length == 0) {
                met = demand.test.isMetBy(root, root, false);
                byItself = met;
            } else {
                met = !demand.together;
                byItself = !demand.together;
                for (int part : demand.parts) {
                    boolean any = false;
                    boolean anyOpen = false;
                    for (int i = 0; i < providers.length; i++) {
                        if (demand.isAmount() && suits && open[part][i]) {
                            demand.offer(providers[i], alive);
                        }
                        boolean fits =
                                demand.test.isMetBy(providers[i], root, providers[i].rootId() != root.rootId());
                        any |= fits && (!demand.isAmount() || open[part][i]);
                        anyOpen |= fits && open[part][i];
                        open[part][i] &= demand.together || fits;
                    }
                    byItself = demand.together ? byItself || any : byItself && any;
                    met = demand.together ? met || anyOpen : met && anyOpen;
                }
            }
            demand.count(byItself && (suits || !demand.isAmount()), alive, met, root);
            alive &= met;
            suits &= met || demand.isAmount();
        }
    }

    /** {@code {"roots", "demands": [{"demand", "alone", "after_all_before", "removed", "nearest"}]}}. */
    public byte[] render() {
        return Json.writeObject(json -> {
            json.writeNumberField("roots", roots);
            json.writeArrayFieldStart("demands");
            for (Demand demand : demands) {
                json.writeStartObject();
                json.writeStringField("demand", demand.text);
                json.writeNumberField("alone", demand.alone);
                json.writeNumberField("after_all_before", demand.left);
                json.writeArrayFieldStart("removed");
                for (Provider root : demand.removed) {
                    json.writeStartObject();
                    json.writeStringField("root", root.uuid().toString());
                    json.writeStringField("name", root.name());
                    json.writeEndObject();
                }
                json.writeEndArray();
                if (demand.isAmount()) {
                    renderObstacle(json, demand);
                }
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }

    private static void renderObstacle(JsonGenerator json, Demand demand) throws IOException {
        json.writeStringField("obstacle", demand.obstacle());
        Provider nearest = demand.nearest();
        if (nearest == null) {
            return;
        }
        var inventories = nearest.inventories();
        int at = inventories.find(demand.classId);
        Inventory inventory = inventories.get(at);
        json.writeObjectFieldStart("nearest");
        json.writeStringField("provider", nearest.uuid().toString());
        json.writeStringField("name", nearest.name());
        json.writeNumberField("capacity", (long) Inventory.whole(inventory.capacity()));
        json.writeNumberField("used", inventories.used()[at]);
        json.writeNumberField("free", demand.free(nearest));
        json.writeNumberField("reserved", inventory.reserved());
        json.writeNumberField("allocation_ratio", inventory.allocationRatio());
        json.writeNumberField("min_unit", inventory.minUnit());
        json.writeNumberField("max_unit", inventory.maxUnit());
        json.writeNumberField("step_size", inventory.stepSize());
        json.writeEndObject();
    }
}
