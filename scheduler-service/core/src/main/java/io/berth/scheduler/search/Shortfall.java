package io.berth.scheduler.search;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.berth.model.Maps;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.ComputeService;
import io.berth.scheduler.host.registry.RegisteredAggregate;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.placement.CandidatesExplanation;
import io.berth.scheduler.placement.CandidatesExplanation.Demand;
import io.berth.scheduler.placement.CandidatesExplanation.Nearest;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.text.NoHostSentence;
import io.berth.scheduler.text.Uuids;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Explains which demands of a query to placement leave a decision without a valid host. Uuids are replaced by names,
 * and the sentences use {@linkplain RequestTerms the terms of the request}. A demand is a part of the query that a tree
 * must meet, such as an amount of a resource class or a trait. Pure.
 *
 * @param roots number of provider trees in the fleet
 * @param candidates number of trees that placement offered
 * @param demands all demands of the query, with names in their texts
 * @param emptiedBy texts of the demands that are to blame: the first one after which no tree is left, and each one that
 *     no tree meets. An amount is to blame as the latter only if no tree that meets all demands other than amounts
 *     supplies it, and if placement reports the limit that prevents it
 * @param nearest the provider that comes nearest to supplying the first amount that is to blame and that has such a
 *     provider; null if there is no such amount
 * @param nearestReason why this provider cannot supply the amount; null if {@code nearest} is null, or if placement
 *     does not report the reason
 * @param blocked trees that were not offered, those that lack least first
 * @param removed number of trees that each demand removed, in the order of the demands, without demands that removed
 *     none; a last element counts the trees that meet each demand but not all of them together, if there are any
 * @param tenantRemoved like {@code removed}, without names of hosts
 * @param text one sentence that explains why placement offered nothing
 * @param tenantText like {@code text}, without names of hosts and without the reasons of single demands
 */
public record Shortfall(
        long roots, long candidates, List<Demand> demands, List<String> emptiedBy, @Nullable Nearest nearest,
        @Nullable String nearestReason, List<BlockedHost> blocked, List<NoHostSentence.Removed> removed,
        List<NoHostSentence.Removed> tenantRemoved, String text, String tenantText) {
    /** Maximum obstacles of one host in a sentence; further obstacles are omitted. */
    private static final int OBSTACLES_MAX = 3;

    private static final Pattern UUID_TEXT =
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
    /** Members of an obstacle in which uuids are replaced by names. */
    private static final List<String> MEMBERS_WITH_UUIDS = List.of("by", "wanted", "had", "with", "text");
    private static final String DISABLED = "root_required=!COMPUTE_STATUS_DISABLED";

    /**
     * A host that placement did not offer.
     *
     * @param obstacles all obstacles of the host as JSON, with names instead of uuids
     */
    public record BlockedHost(String host, String nodename, List<ObjectNode> obstacles) {
        private static BlockedHost of(CandidatesExplanation.BlockedTree tree, RegistrySnapshot registry) {
            UUID uuid = Uuids.find(tree.root().uuid());
            ComputeNode node = uuid == null ? null : registry.findComputeNode(uuid);
            List<ObjectNode> obstacles = tree.obstacles().stream().map(obstacle -> replaceUuids(obstacle, registry))
                    .toList();
            return node == null
                    ? new BlockedHost(tree.root().name(), tree.root().name(), obstacles)
                    : new BlockedHost(node.host(), node.nodename(), obstacles);
        }

        /** Returns the obstacle for demands that the host meets one by one but not together; null if there is none. */
        private @Nullable ObjectNode collision() {
            return obstacles.stream().filter(obstacle -> !obstacle.path("with").isEmpty()).findFirst().orElse(null);
        }

        /** Returns whether the request names hosts and this one is not among them. */
        private boolean isExcludedByName() {
            return obstacles.stream().anyMatch(obstacle -> obstacle.path("code").asText().equals("not_in_tree"));
        }

        private String sentence() {
            return host + ": " + obstacles.stream().limit(OBSTACLES_MAX).map(obstacle -> obstacle.path("text").asText())
                    .collect(Collectors.joining(", "));
        }
    }

    /** Converts placement's explanation of a query. */
    static Shortfall of(CandidatesExplanation explained, RegistrySnapshot registry, RequestSpec spec) {
        RequestTerms request = new RequestTerms(spec, registry);
        Map<String, String> words = new HashMap<>();
        explained.demands().forEach(demand -> {
            String withNames = replaceUuids(demand.text(), registry);
            words.put(withNames, request.of(demand.text(), withNames));
        });
        List<BlockedHost> blocked = explained.blocked().stream().map(tree -> BlockedHost.of(tree, registry)).toList();
        ObjectNode collision =
                blocked.stream().map(BlockedHost::collision).filter(Objects::nonNull).findFirst().orElse(null);
        List<Demand> namedDemands = explained.demands().stream()
                .map(demand -> new Demand(
                        replaceUuids(demand.text(), registry), demand.alone(), demand.suitable(), demand.remaining(),
                        demand.removed(), demand.obstacle(), demand.nearest()))
                .toList();
        List<Demand> blamed = blamed(namedDemands);
        Demand amount = blamed.stream().filter(demand -> demand.nearest() != null).findFirst().orElse(null);
        return new Shortfall(
                explained.roots(),
                explained.candidates(),
                namedDemands,
                blamed.stream().map(Demand::text).toList(),
                amount == null ? null : amount.nearest(),
                amount == null ? null : reason(amount),
                blocked,
                removedSteps(
                        explained, namedDemands,
                        demand -> Maps.require(words, demand.text()) + disabledHosts(demand, registry)),
                removedSteps(explained, namedDemands, demand -> withoutHost(Maps.require(words, demand.text()))),
                sentence(
                        explained.roots(), namedDemands, blamed.isEmpty(),
                        collision == null ? "" : collision.path("text").asText(),
                        demand -> Maps.require(words, demand.text()) + disabledHosts(demand, registry))
                        + blamed.stream().map(demand -> reasonText(demand, Maps.require(words, demand.text())))
                                .collect(Collectors.joining()),
                sentence(
                        explained.roots(), namedDemands, blamed.isEmpty(),
                        collision == null ? "" : collision.path("by").asText(),
                        demand -> withoutHost(Maps.require(words, demand.text()))));
    }

    /**
     * Returns the steps of {@link #removed}.
     *
     * @param name returns the text for a demand
     */
    private static List<NoHostSentence.Removed> removedSteps(
            CandidatesExplanation explained, List<Demand> namedDemands, Function<Demand, String> name) {
        List<NoHostSentence.Removed> steps = new ArrayList<>();
        long remainingTrees = addRemoved(explained.roots(), namedDemands, name, steps);
        if (remainingTrees > explained.candidates()) {
            steps.add(new NoHostSentence.Removed("all of that together", remainingTrees - explained.candidates()));
        }
        return List.copyOf(steps);
    }

    /**
     * Returns a sentence on the nearest host that was not offered although the request does not exclude it by name,
     * with its first {@value #OBSTACLES_MAX} obstacles; null if there is none.
     */
    public @Nullable String nearestOmittedHost() {
        return blocked.stream().filter(host -> !host.isExcludedByName()).map(BlockedHost::sentence).findFirst()
                .orElse(null);
    }

    /** Returns the demands that are to blame, as defined for {@link #emptiedBy}. */
    private static List<Demand> blamed(List<Demand> demands) {
        List<Demand> blamed = new ArrayList<>();
        boolean empty = false;
        for (Demand demand : demands) {
            boolean unmet = demand.suitable() == 0 && (!isAmount(demand.text()) || demand.obstacle() != null);
            if (unmet || (!empty && demand.remaining() == 0)) {
                blamed.add(demand);
            }
            empty |= demand.remaining() == 0;
        }
        return blamed;
    }

    /**
     * Returns one sentence with the number of trees that each demand removed. The sentence calls trees hosts, although
     * a sharing provider is a tree, too.
     *
     * @param isOnlyCombination whether no single demand is to blame, so that only their combination is
     * @param collision an example of such a combination; may be empty
     */
    private static String sentence(
            long roots, List<Demand> demands, boolean isOnlyCombination, String collision,
            Function<Demand, String> name) {
        List<NoHostSentence.Removed> steps = new ArrayList<>();
        long remainingTrees = addRemoved(roots, demands, name, steps);
        return NoHostSentence.sentence(roots, steps, isOnlyCombination
                ? remainingTrees + " meet each demand, but not all of them together"
                        + (collision.isEmpty() ? "" : ": " + collision)
                : "");
    }

    /** Adds one step for each demand that removed trees, and returns the number of trees that are left. */
    private static long addRemoved(
            long roots, List<Demand> demands, Function<Demand, String> name, List<NoHostSentence.Removed> steps) {
        long remainingTrees = roots;
        for (Demand demand : demands) {
            if (demand.remaining() < remainingTrees) {
                steps.add(new NoHostSentence.Removed(name.apply(demand), remainingTrees - demand.remaining()));
                remainingTrees = demand.remaining();
            }
        }
        return remainingTrees;
    }

    /** Returns an addition to the sentence on a demand that is to blame; empty if the numbers explain enough. */
    private static String reasonText(Demand demand, String word) {
        String reason = reason(demand);
        if (reason != null) {
            return "; " + reason;
        }
        if (demand.remaining() > 0 || demand.alone() > 0) {
            return "";
        }
        return word.startsWith(RequestTerms.ZONE)
                ? "; no host is in zone " + word.substring(RequestTerms.ZONE.length())
                : "; no host meets " + word;
    }

    /** Returns a rendered demand without the name of a host, for a tenant. */
    public static String withoutHost(String demand) {
        return RequestTerms.withoutHost(demand);
    }

    /**
     * Returns the reason why no provider supplies an amount. Null if the demand is not an amount, or if placement
     * reports no limit that keeps the nearest provider from supplying it.
     */
    private static @Nullable String reason(Demand demand) {
        if (demand.obstacle() == null) {
            return null;
        }
        int name = demand.text().indexOf('=') + 1;
        int colon = demand.text().indexOf(':', name);
        String resourceClass = demand.text().substring(name, colon);
        String needs = "needs " + demand.text().substring(colon + 1) + " " + resourceClass;
        Nearest nearest = demand.nearest();
        boolean isMetElsewhere = demand.alone() > 0;
        if (nearest == null) {
            return needs + (isMetElsewhere ? ", no provider that meets the rest has any" : ", no provider has any");
        }
        String best = nearest.provider().name();
        return needs + switch (demand.obstacle()) {
            case "max_unit" -> ", %s gives at most %d at a time (max_unit)".formatted(best, nearest.maxUnit());
            case "min_unit" -> ", %s gives at least %d at a time (min_unit)".formatted(best, nearest.minUnit());
            case "step_size" -> ", %s gives multiples of %d only (step_size)".formatted(best, nearest.stepSize());
            default -> (isMetElsewhere ? ", the best provider that meets the rest, %s, has %d free" : ", the best"
                    + " provider %s has %d free")
                    .formatted(best, nearest.free())
                    + (isReserved(nearest, demand.text().substring(colon + 1))
                            ? ", " + nearest.reserved() + " reserved"
                            : "");
        };
    }

    /** Returns whether the provider would have enough if nothing were reserved; false if nothing is reserved. */
    private static boolean isReserved(Nearest nearest, String amount) {
        return nearest.reserved() > 0 && nearest.free() + nearest.reserved() >= Long.parseLong(amount);
    }

    /**
     * Returns the disabled hosts with the operator's reasons, in parentheses, for the demand that excludes disabled
     * hosts; only the first hosts that it removed. Empty if it removed none, and for any other demand.
     */
    private static String disabledHosts(Demand demand, RegistrySnapshot registry) {
        if (!demand.text().equals(DISABLED) || demand.removed().isEmpty()) {
            return "";
        }
        List<String> hosts = demand.removed().stream()
                .map(root -> {
                    String reason = disabledReason(root.uuid(), registry);
                    return root.name() + " is disabled" + (reason == null ? "" : ": " + reason);
                })
                .toList();
        return " (" + String.join("; ", hosts) + ")";
    }

    /**
     * Returns the operator's reason from the compute service, or from the report of the node if the service is not
     * registered; null if there is no reason.
     */
    private static @Nullable String disabledReason(String provider, RegistrySnapshot registry) {
        UUID uuid = Uuids.find(provider);
        ComputeNode node = uuid == null ? null : registry.findComputeNode(uuid);
        if (node == null) {
            return null;
        }
        ComputeService service = registry.findService(node.host());
        return service != null ? service.disabledReason() : node.state().service().disabledReason();
    }

    /**
     * Returns an obstacle with the names of registered aggregates and compute nodes instead of their uuids. Only {@link
     * #MEMBERS_WITH_UUIDS} are changed; other members, such as {@code provider}, keep their uuids.
     */
    public static ObjectNode replaceUuids(JsonNode obstacle, RegistrySnapshot registry) {
        ObjectNode withNames = obstacle.deepCopy();
        for (String member : MEMBERS_WITH_UUIDS) {
            switch (obstacle.path(member)) {
                case TextNode text -> withNames.put(member, replaceUuids(text.textValue(), registry));
                case ArrayNode list -> {
                    ArrayNode names = withNames.putArray(member);
                    list.forEach(each -> names.add(replaceUuids(each.asText(), registry)));
                }
                default -> {}
            }
        }
        return withNames;
    }

    /** Replaces the uuids of registered aggregates and compute nodes in a text by their names. */
    public static String replaceUuids(String text, RegistrySnapshot registry) {
        return UUID_TEXT.matcher(text).replaceAll(found -> Matcher
                .quoteReplacement(name(found.group(), registry)));
    }

    private static boolean isAmount(String text) {
        return text.startsWith("resources");
    }

    private static String name(String text, RegistrySnapshot registry) {
        UUID uuid = UUID.fromString(text);
        RegisteredAggregate aggregate = registry.findAggregate(uuid);
        ComputeNode node = registry.findComputeNode(uuid);
        return aggregate != null ? aggregate.name() : node != null ? node.nodename() : text;
    }
}
