package io.berth.deploy.migration.reads;

import io.berth.deploy.http.RestClient;
import io.berth.deploy.migration.state.Consumer;
import io.berth.deploy.migration.state.PlacementState;
import io.berth.deploy.migration.state.Provider;
import io.berth.model.Maps;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Generates GET requests about the providers, consumers and names of a state: lists with filters, single records,
 * usages, allocations and allocation candidates. The same state and seed give the same requests.
 */
final class RandomReads {
    private static final int UNITS_MAX = 4;

    private final PlacementState state;
    private final RandomGenerator random;
    private final List<UUID> providers;
    private final List<UUID> consumers;
    private final List<String> traits;
    private final List<String> aggregates;

    RandomReads(PlacementState state, RandomGenerator random) {
        this.state = state;
        this.random = random;
        this.providers = new ArrayList<>(new TreeSet<>(state.providers().keySet()));
        this.consumers = new ArrayList<>(new TreeSet<>(state.consumers().keySet()));
        var traitNames = new TreeSet<String>();
        var aggregateUuids = new TreeSet<String>();
        state.providers().values().forEach(provider -> {
            traitNames.addAll(provider.traits());
            aggregateUuids.addAll(provider.aggregates());
        });
        this.traits = List.copyOf(traitNames);
        this.aggregates = List.copyOf(aggregateUuids);
    }

    /** Returns {@code count} paths, some with a query, of alternating kinds; none if the state has no provider. */
    List<String> paths(int count) {
        List<String> reads = new ArrayList<>(count);
        for (int i = 0; i < count && !providers.isEmpty(); i++) {
            reads.add(switch (i % 10) {
                case 0, 1 -> "/resource_providers?" + filters();
                case 2 -> providerPath();
                case 3 -> "/resource_providers/" + any(providers) + "/usages";
                case 4 -> "/resource_providers/" + any(providers) + "/allocations";
                case 5 -> consumers.isEmpty() ? providerPath() : "/allocations/" + any(consumers);
                case 6 -> consumers.isEmpty() ? providerPath() : usages();
                case 7 -> names();
                default -> candidates();
            });
        }
        return reads;
    }

    private String providerPath() {
        UUID uuid = any(providers);
        return "/resource_providers/" + uuid + switch (random.nextInt(5)) {
            case 0 -> "";
            case 1 -> "/inventories";
            case 2 -> "/traits";
            case 3 -> "/aggregates";
            default -> {
                Collection<String> classes = Maps.require(state.providers(), uuid).inventories().keySet();
                yield classes.isEmpty() ? "/inventories" : "/inventories/" + any(List.copyOf(classes));
            }
        };
    }

    private String names() {
        return switch (random.nextInt(4)) {
            case 0 -> "/traits?name=startswith:CUSTOM_" + (random.nextBoolean() ? "&associated=true" : "");
            case 1 -> "/traits?associated=true";
            case 2 -> "/traits?name=in:" + (traits.isEmpty() ? "CUSTOM_X" : any(traits) + "," + any(traits));
            default -> "/resource_classes/" + any(List.copyOf(state.resourceClasses()));
        };
    }

    private String usages() {
        Consumer consumer = Maps.require(state.consumers(), any(consumers));
        String query = "/usages?project_id=" + RestClient.encoded(consumer.project());
        if (random.nextBoolean()) {
            query += "&user_id=" + RestClient.encoded(consumer.user());
        }
        return switch (random.nextInt(3)) {
            case 0 -> query;
            case 1 -> query + "&consumer_type=" + consumer.type();
            default -> query + "&consumer_type=all";
        };
    }

    /**
     * Returns one or two filters of a list of providers: one of the kinds 0 to 6 of {@link #filter}, and in half of the
     * cases one of the kinds 7 and 8, too.
     */
    private String filters() {
        String first = filter(random.nextInt(7));
        return random.nextBoolean() ? first : first + "&" + filter(7 + random.nextInt(2));
    }

    private String filter(int kind) {
        Provider provider = Maps.require(state.providers(), any(providers));
        return switch (kind) {
            case 0 -> "name=" + RestClient.encoded(provider.name());
            case 1 -> "uuid=" + any(providers);
            case 2 -> "in_tree=" + any(providers);
            case 3 -> aggregates.isEmpty() ? "name=x" : memberOf("member_of");
            case 4 -> traits.isEmpty() ? "name=x" : required("required");
            case 5 -> amounts("resources", provider);
            case 6 -> traits.size() < 2 ? "name=x" : "required=in:" + any(traits) + "," + any(traits);
            case 7 -> "in_tree=" + any(providers);
            default -> traits.isEmpty() ? "in_tree=" + any(providers) : "required=!" + any(traits);
        };
    }

    private String memberOf(String parameter) {
        return parameter + "=" + switch (random.nextInt(3)) {
            case 0 -> any(aggregates);
            case 1 -> "in:" + any(aggregates) + "," + any(aggregates);
            default -> "!" + any(aggregates);
        };
    }

    private String required(String parameter) {
        return parameter + "=" + (random.nextInt(3) == 0 ? "!" : "") + any(traits);
    }

    /**
     * Returns a query for allocation candidates, or a path of a provider if no provider has an inventory. The query has
     * no limit, because with a limit two correct services may return different subsets. A query with a numbered group
     * names one provider tree, so that the response stays small.
     */
    private String candidates() {
        List<UUID> withInventories = providers.stream()
                .filter(uuid -> !Maps.require(state.providers(), uuid).inventories().isEmpty())
                .toList();
        if (withInventories.isEmpty()) {
            return providerPath();
        }
        UUID uuid = any(withInventories);
        Provider provider = Maps.require(state.providers(), uuid);
        String query = "/allocation_candidates?" + amounts("resources", provider);
        return switch (random.nextInt(6)) {
            case 0 -> query;
            case 1 -> traits.isEmpty() ? query : query + "&" + required("required");
            case 2 -> aggregates.isEmpty() ? query : query + "&" + memberOf("member_of");
            case 3 -> query + "&in_tree=" + uuid;
            default -> {
                Provider other = Maps.require(state.providers(), any(withInventories));
                yield query + "&in_tree=" + uuid + "&" + amounts("resources1", random.nextBoolean() ? other : provider)
                        + "&in_tree1=" + uuid + "&group_policy=" + (random.nextBoolean() ? "none" : "isolate");
            }
        };
    }

    /**
     * Returns the parameter with amounts of one or two resource classes of the provider, as in {@code
     * resources=DISK_GB:3,VCPU:2}; with one VCPU if the provider has no inventory.
     */
    private String amounts(String parameter, Provider provider) {
        List<String> classes = List.copyOf(provider.inventories().keySet());
        if (classes.isEmpty()) {
            return parameter + "=VCPU:1";
        }
        var names = new TreeSet<String>();
        names.add(any(classes));
        names.add(any(classes));
        var text = new StringBuilder(parameter).append('=');
        for (String name : names) {
            text.append(text.charAt(text.length() - 1) == '=' ? "" : ",")
                    .append(name).append(':').append(1 + random.nextInt(UNITS_MAX));
        }
        return text.toString();
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
