package io.berth.placement.candidate.response;

import io.berth.placement.candidate.search.FleetBuilder;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Inventories;
import io.berth.placement.fleet.NameCatalogue;
import io.berth.placement.fleet.Provider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/** A view to which random changes are applied, in the form that the feed delivers. */
final class ChangingFleet {
    private final Random random;
    private FleetView view;
    private long lastId;
    private int renames;

    ChangingFleet(FleetView view, Random random) {
        this.view = view;
        this.random = random;
        this.lastId = view.providerCount();
    }

    FleetView view() {
        return view;
    }

    void change() {
        List<Provider> all = view.listProviders();
        Provider one = all.get(random.nextInt(all.size()));
        switch (random.nextInt(12)) {
            case 0 -> put(with(
                    one, one.inventories(), toggled(one.traitIds(), 1 + random.nextInt(5)), one.aggregates()));
            case 1 -> put(with(one, one.inventories(), one.traitIds(), toggled(one.aggregates())));
            case 2 -> addRoot();
            case 3 -> deleteTree(one);
            case 4 -> renameClass();
            case 5 -> {
                // A claim and its release: nothing differs, but a change is recorded.
                put(with(one, one.inventories(), one.traitIds(), one.aggregates()));
            }
            default -> put(with(one, used(one.inventories()), one.traitIds(), one.aggregates()));
        }
    }

    private void put(Provider... changed) {
        view = view.with(List.of(changed), List.of(), List.of(), List.of());
    }

    private static Provider with(Provider before, Inventories inventories, int[] traitIds, UUID[] aggregates) {
        return new Provider(
                before.id(), before.uuid(), before.name(), before.generation() + 1,
                before.parentId(), before.rootId(), 0, inventories, traitIds.clone(), aggregates.clone());
    }

    private Inventories used(Inventories before) {
        long[] used = before.used().clone();
        if (used.length > 0) {
            used[random.nextInt(used.length)] = random.nextInt(6);
        }
        return new Inventories(
                before.classIds(), before.total(), before.reserved(), before.minUnit(), before.maxUnit(),
                before.stepSize(), before.allocationRatio(), used, 0);
    }

    private static int[] toggled(int[] ids, int id) {
        return Arrays.stream(ids).anyMatch(known -> known == id)
                ? Arrays.stream(ids).filter(known -> known != id).toArray()
                : java.util.stream.IntStream.concat(Arrays.stream(ids), java.util.stream.IntStream.of(id)).toArray();
    }

    private UUID[] toggled(UUID[] aggregates) {
        UUID one = FleetBuilder.uuidOf("agg" + (1 + random.nextInt(3)));
        List<UUID> all = new ArrayList<>(List.of(aggregates));
        if (!all.remove(one)) {
            all.add(one);
        }
        return all.toArray(UUID[]::new);
    }

    private void addRoot() {
        int[] classIds = view.resourceClasses().list().stream().mapToInt(NameCatalogue.Entry::id).toArray();
        int[] ones = new int[classIds.length];
        Arrays.fill(ones, 1);
        int[] eights = new int[classIds.length];
        Arrays.fill(eights, 8);
        double[] ratios = new double[classIds.length];
        Arrays.fill(ratios, 1.0);
        long id = ++lastId;
        put(new Provider(
                id, FleetBuilder.uuidOf("late" + id), "late" + id, 0, 0, id, 0,
                new Inventories(
                        classIds, eights, new int[classIds.length], ones, eights, ones, ratios,
                        new long[classIds.length], 0),
                new int[] {1 + random.nextInt(4)}, new UUID[] {FleetBuilder.uuidOf("agg1")}));
    }

    private void deleteTree(Provider member) {
        if (view.providerCount() > 4) {
            var tree = view.treeOf(member);
            List<Long> ids = new ArrayList<>();
            for (int node = 0; node < tree.size(); node++) {
                ids.add(tree.node(node).id());
            }
            if (ids.size() < view.providerCount()) {
                view = view.with(List.of(), ids, List.of(), List.of());
            }
        }
    }

    /** Renames a class that no query names, but that summaries contain. */
    void renameClass() {
        NameCatalogue.Entry spare = view.resourceClasses().find("CUSTOM_FPGA");
        NameCatalogue.Entry now = spare != null ? spare : view.resourceClasses().find("CUSTOM_FPGA" + renames);
        String name = spare != null ? "CUSTOM_FPGA" + ++renames : "CUSTOM_FPGA";
        view = view.with(List.of(), List.of(), List.of(new NameCatalogue.Entry(now.id(), name, 0)), List.of());
    }
}
