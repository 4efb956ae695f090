package io.berth.scheduler.decision;

import io.berth.scheduler.host.HostState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Selects hosts at random, for the driver {@code chance_scheduler}. If there are at least as many hosts as instances,
 * selects each host at most once; otherwise selects a host for each instance independently. Pure.
 * <br>Source: nova {@code scheduler/chance.py}, last in 2018.
 */
public final class Chance {
    private Chance() {}

    /**
     * Returns one list for each instance: the selected host, then alternates in random order that are not selected for
     * any instance.
     *
     * @param hosts at least one
     * @param perInstanceMax maximum length of a list, at least 1
     */
    public static List<List<HostState>> select(
            List<HostState> hosts, int instanceCount, int perInstanceMax, RandomGenerator random) {
        List<HostState> selected = new ArrayList<>();
        if (hosts.size() >= instanceCount) {
            selected.addAll(shuffled(hosts, random).subList(0, instanceCount));
        } else {
            for (int i = 0; i < instanceCount; i++) {
                selected.add(hosts.get(random.nextInt(hosts.size())));
            }
        }
        Set<HostName> selectedNames = new HashSet<>();
        selected.forEach(host -> selectedNames.add(HostName.of(host)));
        List<HostState> unselected =
                hosts.stream().filter(host -> !selectedNames.contains(HostName.of(host))).toList();
        List<List<HostState>> lists = new ArrayList<>();
        for (HostState host : selected) {
            List<HostState> list = new ArrayList<>();
            list.add(host);
            list.addAll(shuffled(unselected, random).subList(0, Math.min(perInstanceMax - 1, unselected.size())));
            lists.add(List.copyOf(list));
        }
        return lists;
    }

    private static List<HostState> shuffled(List<HostState> hosts, RandomGenerator random) {
        List<HostState> shuffled = new ArrayList<>(hosts);
        Collections.shuffle(shuffled, random);
        return shuffled;
    }
}
