package io.berth.scheduler.host.registry.snapshot;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Facts that a {@link RegistrySource} provides in addition to its records.
 *
 * @param moves source and destination hosts of each move that is open or may be reverted, by instance
 * @param minComputeVersion lowest service version among the source's compute services; 0 if there are none
 */
public record SourceFacts(Map<UUID, Set<String>> moves, int minComputeVersion) {
    static final SourceFacts NONE = new SourceFacts(Map.of(), 0);

    /** Merges the facts of all parts. An instance that moves between two parts (cells) may be in both. */
    static SourceFacts joined(List<SourceFacts> parts) {
        List<SourceFacts> nonEmpty = parts.stream().filter(part -> !part.equals(NONE)).toList();
        if (nonEmpty.size() <= 1) {
            return nonEmpty.isEmpty() ? NONE : nonEmpty.getFirst();
        }
        Map<UUID, Set<String>> moves = new HashMap<>();
        nonEmpty.forEach(part -> part.moves()
                .forEach((instance, hosts) -> moves.merge(instance, hosts, SourceFacts::union)));
        return new SourceFacts(
                moves,
                nonEmpty.stream()
                        .mapToInt(SourceFacts::minComputeVersion)
                        .filter(version -> version > 0)
                        .min()
                        .orElse(0));
    }

    private static Set<String> union(Set<String> first, Set<String> second) {
        Set<String> union = new HashSet<>(first);
        union.addAll(second);
        return union;
    }
}
