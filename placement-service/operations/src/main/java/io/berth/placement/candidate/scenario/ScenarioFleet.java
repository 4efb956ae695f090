package io.berth.placement.candidate.scenario;

import io.berth.model.Maps;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Inventories;
import io.berth.placement.fleet.Inventory;
import io.berth.placement.fleet.NameCatalogue;
import io.berth.placement.fleet.Provider;
import io.berth.placement.fleet.ProviderTree;
import io.berth.placement.http.ApiException;
import io.berth.placement.http.ErrorCode;
import io.berth.placement.query.JsonAt;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Builds the {@link FleetView} of a scenario: the present fleet with the changes of a request (docs/what-if.md).
 * Changes are applied in order, each to the result of the earlier changes. The cost of the view depends only on the
 * number of changed providers. An impossible value, or a change that contradicts an earlier change, is refused with
 * 400; an unknown provider with 404; too many added providers, changed values or elements of a list with 413. The
 * message contains the path of the value in the request.
 */
final class ScenarioFleet {
    /** The maximum number of changes in a request. */
    static final int CHANGES_MAX = 10_000;
    /**
     * Approximate heap bytes for one value that a change sets: the value itself and its share of the changed {@link
     * Provider}.
     */
    static final int ASSIGNMENT_BYTES = 256;
    /** The longest name of an added root provider, in characters. */
    private static final int NAME_LENGTH_MAX = 200;
    /** The maximum number of traits or aggregates in one list of a change. */
    private static final int NAMES_MAX = 1_000;
    /** The largest amount that one change adds to or takes from the use of an inventory, in units. */
    private static final long USE_MAX = 1L << 40;
    /** The largest allocation ratio, as in the schema of OpenStack's Placement. */
    private static final double RATIO_MAX = 3.40282e38;
    /** The longest name of a resource class or trait, in characters. */
    private static final int CLASS_NAME_LENGTH_MAX = 255;
    /** The members of an inventory that a change may set. */
    private static final String[] INVENTORY_MEMBERS =
            {"total", "reserved", "min_unit", "max_unit", "step_size", "allocation_ratio"};
    /**
     * The id of the first added provider. Ids of added providers are above all ids of the database, so that added
     * providers come last in every order.
     */
    private static final long FIRST_ADDED_ID = 1L << 62;

    private final FleetView view;
    private final int addedMax;
    private final long assignmentsMax;
    /** Changed and added providers by id. */
    private final Map<Long, Provider> changed = new LinkedHashMap<>();
    /** Added providers by uuid. */
    private final Map<UUID, Provider> added = new HashMap<>();
    /** The uuids of added providers by name. */
    private final Map<String, UUID> addedNames = new HashMap<>();
    /** For each added tree, by id of its root, the ids of its providers, parents before children. */
    private final Map<Long, List<Long>> addedTrees = new HashMap<>();
    /** For each removed provider, by uuid, the path of the change that removed it. */
    private final Map<UUID, String> removed = new HashMap<>();
    /** The ids of removed providers of the present fleet; providers that a change had added are not listed. */
    private final List<Long> removedIds = new ArrayList<>();
    /**
     * The values that changes have set; use is not listed. A different value for the same key is a contradiction. A key
     * is one of the lists {@code [id of the provider, id of the resource class, member of the inventory]}, {@code [id
     * of the provider, "trait", id of the trait]} and {@code [id of the provider, "aggregate", uuid]}. The member
     * {@code inventory} is "kept" if a change sets another member of the inventory, and "removed" if a change removes
     * the inventory, so that these two changes contradict each other.
     */
    private final Map<List<Object>, Assignment> assignments = new HashMap<>();
    private long nextId = FIRST_ADDED_ID;

    /**
     * A value that a change has set.
     *
     * @param changePath the path of the change in the request
     */
    private record Assignment(Object value, String changePath) {}

    /** An inventory and its use, in units. */
    private record Stock(Inventory inventory, long used) {}

    private ScenarioFleet(FleetView view, int addedMax, long assignmentsMax) {
        this.view = view;
        this.addedMax = addedMax;
        this.assignmentsMax = assignmentsMax;
    }

    /**
     * Returns a view with the changes.
     *
     * @param addedMax limit of the providers that changes may add
     * @param assignmentsMax limit of the values that changes may set; a change of many providers counts once for each
     *         of them
     * @throws ApiException 400, 404 or 413; the message contains the path of the value
     */
    static FleetView of(FleetView view, List<JsonAt> changes, int addedMax, long assignmentsMax) {
        var fleet = new ScenarioFleet(view, addedMax, assignmentsMax);
        changes.forEach(fleet::apply);
        return view.withScenario(fleet.changed.values(), fleet.removedIds);
    }

    /** Applies one change: an object whose only member names the kind of change. */
    private void apply(JsonAt change) {
        JsonAt content = change.onlyMember("inventory", "remove_inventory", "traits", "aggregates", "use", "remove",
                "add");
        String changePath = change.path();
        switch (content.name()) {
            case "inventory" -> setInventory(content, changePath);
            case "remove_inventory" -> removeInventory(content, changePath);
            case "traits" -> changeTraits(content, changePath);
            case "aggregates" -> changeAggregates(content, changePath);
            case "use" -> changeUse(content);
            case "remove" -> remove(content, changePath);
            case "add" -> add(content);
            default -> throw new IllegalStateException(content.name());
        }
    }

    /**
     * Sets members of one inventory of a provider, which is created if it does not exist. If the change names {@code
     * trees} instead of a provider, sets the members for each provider of these trees that has an inventory of the
     * class.
     */
    private void setInventory(JsonAt content, String changePath) {
        content.object(
                "provider", "trees", "resource_class", "total", "reserved", "min_unit", "max_unit", "step_size",
                "allocation_ratio");
        JsonAt target = content.exactlyOneOf("provider", "trees");
        boolean ofOneProvider = target.name().equals("provider");
        List<Provider> providers = ofOneProvider ? List.of(find(target)) : inTrees(target);
        int classId = classId(content.get("resource_class").text(CLASS_NAME_LENGTH_MAX), content.get("resource_class"));
        List<JsonAt> members = Arrays.stream(INVENTORY_MEMBERS).map(content::find).filter(Objects::nonNull).toList();
        if (members.isEmpty()) {
            throw content.refused("must set at least one of " + String.join(", ", INVENTORY_MEMBERS));
        }
        boolean found = false;
        for (Provider provider : providers) {
            if (ofOneProvider || stocks(provider).containsKey(classId)) {
                setInventory(
                        content, changePath, members, provider, classId, ofOneProvider ? "" : " of " + provider.name());
                found = true;
            }
        }
        if (!found) {
            throw content.get("resource_class").refused(
                    "none of the providers has an inventory of " + content.get("resource_class").node().textValue());
        }
    }

    /**
     * Sets members of one inventory; other members keep their values, or get the defaults if the inventory is new.
     *
     * @param content the change
     * @param members the members that the change sets
     * @param ofProvider a suffix for error messages that names the provider; empty if the change names only this
     *         provider
     */
    private void setInventory(JsonAt content, String changePath, List<JsonAt> members, Provider provider, int classId,
            String ofProvider) {
        Map<Integer, Stock> stocks = stocks(provider);
        Stock oldStock = stocks.get(classId);
        Inventory oldInventory =
                oldStock == null ? new Inventory(0, 0, 1, Integer.MAX_VALUE, 1, 1.0) : oldStock.inventory();
        if (oldStock == null) {
            // A new inventory must state its total: get refuses a missing member.
            content.get("total");
        }
        var newInventory = new Inventory(
                member(content, "total", 1, oldInventory.total()),
                member(content, "reserved", 0, oldInventory.reserved()), member(content, "min_unit", 1,
                        oldInventory.minUnit()), member(content, "max_unit", 1, oldInventory.maxUnit()),
                member(content, "step_size", 1, oldInventory.stepSize()),
                content.find("allocation_ratio") == null
                        ? oldInventory.allocationRatio()
                        : content.get("allocation_ratio").number(0, RATIO_MAX));
        assign(content, changePath, "kept", provider.id(), classId, "inventory");
        for (JsonAt member : members) {
            assign(member, changePath, member.node().doubleValue(), provider.id(), classId, member.name());
        }
        JsonAt refusedAt = members.size() == 1 ? members.getFirst() : content;
        double capacity = Inventory.truncate(newInventory.capacity());
        if (capacity < 0) {
            throw refusedAt.refused(refusedAt.excerpt() + " reserves " + newInventory.reserved() + " of "
                    + newInventory.total() + ofProvider);
        }
        long used = oldStock == null ? 0 : oldStock.used();
        // An inventory that is over capacity already may be changed as long as its capacity does not shrink.
        if (used > newInventory.capacity() && newInventory.capacity() < oldInventory.capacity()) {
            throw refusedAt.refused(
                    refusedAt.excerpt() + " leaves a capacity of " + (long) capacity + ofProvider + ", and " + used
                            + " are used");
        }
        stocks.put(classId, new Stock(newInventory, used));
        put(provider, stocks);
    }

    /** Returns the member of the change; {@code defaultValue} if the change does not set the member. */
    private static int member(JsonAt content, String name, int min, int defaultValue) {
        JsonAt member = content.find(name);
        return member == null ? defaultValue : (int) member.integer(min, Integer.MAX_VALUE);
    }

    private void removeInventory(JsonAt content, String changePath) {
        content.object("provider", "resource_class");
        Provider provider = find(content.get("provider"));
        JsonAt name = content.get("resource_class");
        int classId = classId(name.text(CLASS_NAME_LENGTH_MAX), name);
        assign(content, changePath, "removed", provider.id(), classId, "inventory");
        Map<Integer, Stock> stocks = stocks(provider);
        Stock removedStock = stocks.remove(classId);
        if (removedStock == null) {
            throw name.refused(noInventory(provider, name.node().textValue()));
        }
        if (removedStock.used() > 0) {
            throw name.refused(removedStock.used() + " " + name.node().textValue() + " of resource provider "
                    + provider.uuid() + " are in use");
        }
        put(provider, stocks);
    }

    /**
     * Changes the use of a provider's inventories: a negative amount is a release. Several changes of use add up, and
     * so never contradict each other; an increase is not limited by the capacity. With {@code if_there}, a change that
     * has only releases is skipped if the provider does not exist, a release is skipped if the inventory does not
     * exist, and a release of more than is used sets the use to 0. Without {@code if_there}, all three are refused.
     */
    private void changeUse(JsonAt content) {
        content.object("provider", "resources", "if_there");
        boolean isLenient = content.find("if_there") != null && content.get("if_there").flag();
        List<JsonAt> amounts = content.get("resources").members();
        boolean hasOnlyReleases = amounts.stream().noneMatch(each -> amount(each) > 0);
        if (isLenient && !exists(content.get("provider").uuid()) && hasOnlyReleases) {
            return;
        }
        Provider provider = find(content.get("provider"));
        Map<Integer, Stock> stocks = stocks(provider);
        for (JsonAt amount : amounts) {
            int classId = classId(amount.name(), amount);
            Stock oldStock = stocks.get(classId);
            long delta = amount(amount);
            if (oldStock == null) {
                if (isLenient && delta <= 0) {
                    continue;
                }
                throw amount.refused(noInventory(provider, amount.name()));
            }
            if (oldStock.used() + delta < 0 && !isLenient) {
                throw amount.refused("releases " + -delta + ", and only " + oldStock.used() + " are used");
            }
            stocks.put(classId, new Stock(oldStock.inventory(), Math.max(0, oldStock.used() + delta)));
        }
        put(provider, stocks);
    }

    private static long amount(JsonAt at) {
        return at.integer(-USE_MAX, USE_MAX);
    }

    private boolean exists(UUID provider) {
        return !removed.containsKey(provider) && (added.containsKey(provider) || view.find(provider) != null);
    }

    private static String noInventory(Provider provider, String resourceClass) {
        return "resource provider " + provider.uuid() + " has no inventory of " + resourceClass;
    }

    private void changeTraits(JsonAt content, String changePath) {
        content.object("provider", "trees", "add", "remove");
        if (content.exactlyOneOf("provider", "trees").name().equals("provider")) {
            Provider provider = find(content.get("provider"));
            changeTraits(provider, names(content, "add"), names(content, "remove"), changePath);
            return;
        }
        // Traits are added to the named providers, and removed from every provider of their trees.
        JsonAt trees = content.get("trees");
        for (JsonAt each : trees.list(ScenarioQuery.ROOTS_MAX)) {
            changeTraits(find(each), names(content, "add"), List.of(), changePath);
        }
        inTrees(trees).forEach(provider -> changeTraits(provider, List.of(), names(content, "remove"), changePath));
    }

    private void changeTraits(Provider provider, List<JsonAt> toAdd, List<JsonAt> toRemove, String changePath) {
        var ids = new TreeSet<Integer>();
        Arrays.stream(provider.traitIds()).forEach(ids::add);
        boolean isChanged = false;
        for (JsonAt name : toAdd) {
            int id = traitId(name);
            assign(name, changePath, "added", provider.id(), "trait", id);
            isChanged |= ids.add(id);
        }
        for (JsonAt name : toRemove) {
            int id = traitId(name);
            assign(name, changePath, "removed", provider.id(), "trait", id);
            isChanged |= ids.remove(id);
        }
        if (isChanged) {
            put(provider.with(
                    provider.inventories(), ids.stream().mapToInt(Integer::intValue).toArray(),
                    provider.aggregates().clone()));
        }
    }

    private void changeAggregates(JsonAt content, String changePath) {
        content.object("provider", "trees", "add", "remove");
        JsonAt target = content.exactlyOneOf("provider", "trees");
        for (JsonAt each : target.name().equals("provider") ? List.of(target) : target.list(ScenarioQuery.ROOTS_MAX)) {
            changeAggregates(find(each), content, changePath);
        }
    }

    private void changeAggregates(Provider provider, JsonAt content, String changePath) {
        var aggregates = new TreeSet<>(Arrays.asList(provider.aggregates()));
        for (JsonAt each : names(content, "add")) {
            assign(each, changePath, "added", provider.id(), "aggregate", each.uuid());
            aggregates.add(each.uuid());
        }
        for (JsonAt each : names(content, "remove")) {
            assign(each, changePath, "removed", provider.id(), "aggregate", each.uuid());
            aggregates.remove(each.uuid());
        }
        put(provider.with(provider.inventories(), provider.traitIds().clone(), aggregates.toArray(UUID[]::new)));
    }

    private static List<JsonAt> names(JsonAt content, String member) {
        JsonAt list = content.find(member);
        return list == null ? List.of() : list.list(NAMES_MAX);
    }

    private void remove(JsonAt content, String changePath) {
        content.object("root", "roots");
        JsonAt target = content.exactlyOneOf("root", "roots");
        for (JsonAt root : target.name().equals("root") ? List.of(target) : target.list(ScenarioQuery.ROOTS_MAX)) {
            removeTree(root, changePath);
        }
    }

    private void removeTree(JsonAt root, String changePath) {
        for (Provider provider : tree(root)) {
            changed.remove(provider.id());
            removed.put(provider.uuid(), changePath);
            if (added.remove(provider.uuid()) == null) {
                removedIds.add(provider.id());
            } else {
                addedNames.remove(provider.name());
            }
        }
    }

    private void add(JsonAt content) {
        content.object("like", "root", "name", "roots", "names");
        List<Provider> template = tree(content.get("like"));
        JsonAt target = content.exactlyOneOf("root", "roots");
        boolean isOneTree = target.name().equals("root");
        List<JsonAt> roots = isOneTree ? List.of(target) : target.list(ScenarioQuery.ROOTS_MAX);
        List<JsonAt> names =
                isOneTree ? List.of(content.get("name")) : content.get("names").list(ScenarioQuery.ROOTS_MAX);
        if (roots.size() != names.size()) {
            throw content.get("names").refused(names.size() + " names for " + roots.size() + " roots");
        }
        for (int i = 0; i < roots.size(); i++) {
            add(content, template, roots.get(i), names.get(i));
        }
    }

    /**
     * Adds a copy of a tree, with all inventories unused.
     *
     * @param content the change
     * @param template the providers of the tree to copy, parents before children
     * @param rootAt the uuid of the new root, as the change states it
     * @param nameAt the name of the new root, as the change states it
     */
    private void add(JsonAt content, List<Provider> template, JsonAt rootAt, JsonAt nameAt) {
        UUID root = rootAt.uuid();
        String name = nameAt.text(NAME_LENGTH_MAX);
        if (added.size() + template.size() > addedMax) {
            throw new ApiException(
                    413, ErrorCode.UNDEFINED,
                    content.path() + ": more than " + addedMax + " resource providers are added");
        }
        Map<Long, Long> copyIds = new HashMap<>();
        for (Provider original : template) {
            copyIds.put(original.id(), nextId++);
        }
        long rootId = Maps.require(copyIds, template.getFirst().id());
        addedTrees.put(rootId, copyIds.values().stream().sorted().toList());
        for (Provider original : template) {
            UUID uuid = original.isRoot() ? root : childUuid(root, original.uuid());
            String copyName = original.isRoot() ? name : name + "/" + original.name();
            requireNew(original.isRoot() ? rootAt : content, original.isRoot() ? nameAt : content, uuid, copyName);
            long[] unused = new long[original.inventories().size()];
            Provider copy = new Provider(
                    Maps.require(copyIds, original.id()), uuid, copyName, 0,
                    original.isRoot() ? 0 : Maps.require(copyIds, original.parentId()), rootId,
                    original.updatedAtMs(), original.inventories(), original.traitIds().clone(),
                    original.aggregates().clone())
                    .withUsed(unused);
            added.put(uuid, copy);
            addedNames.put(copyName, uuid);
            changed.put(copy.id(), copy);
        }
    }

    /**
     * Returns the uuid of an added child provider, which depends only on the uuids of the added root and of the copied
     * child.
     */
    private static UUID childUuid(UUID root, UUID templateChild) {
        return UUID.nameUUIDFromBytes((root + "/" + templateChild).getBytes(StandardCharsets.US_ASCII));
    }

    /** Refuses a uuid that a provider has or had before its removal, and a name that a provider has. */
    private void requireNew(JsonAt uuidAt, JsonAt nameAt, UUID uuid, String name) {
        boolean isUuidTaken = added.containsKey(uuid) || removed.containsKey(uuid) || view.find(uuid) != null;
        if (isUuidTaken) {
            throw uuidAt.refused("there is a resource provider " + uuid);
        }
        Provider named = view.find(name);
        if (addedNames.containsKey(name) || named != null && !removed.containsKey(named.uuid())) {
            throw nameAt.refused("there is a resource provider with the name " + name);
        }
    }

    /** Returns the provider with the changes so far. Refuses a provider that is unknown or was removed. */
    private Provider find(JsonAt at) {
        UUID uuid = at.uuid();
        String removedBy = removed.get(uuid);
        if (removedBy != null) {
            throw at.refused("resource provider " + uuid + " is removed by " + removedBy);
        }
        Provider provider = added.get(uuid);
        if (provider == null) {
            provider = view.find(uuid);
        }
        if (provider == null) {
            throw at.notFound("no resource provider " + uuid);
        }
        return changed.getOrDefault(provider.id(), provider);
    }

    /**
     * Returns the providers of the tree with this root, with the changes so far, parents before children. Refuses a
     * provider that is not a root.
     */
    private List<Provider> tree(JsonAt at) {
        Provider root = find(at);
        if (!root.isRoot()) {
            throw at.refused("resource provider " + root.uuid() + " is not the root of its tree");
        }
        return treeOf(root);
    }

    /** Returns all providers of the trees that the named providers belong to, each tree once. */
    private List<Provider> inTrees(JsonAt targets) {
        var roots = new HashSet<Long>();
        List<Provider> all = new ArrayList<>();
        for (JsonAt each : targets.list(ScenarioQuery.ROOTS_MAX)) {
            Provider provider = find(each);
            if (roots.add(provider.rootId())) {
                all.addAll(treeOf(provider));
            }
        }
        return all;
    }

    private List<Provider> treeOf(Provider provider) {
        List<Long> ids = addedTrees.get(provider.rootId());
        if (ids != null) {
            return ids.stream().map(changed::get).toList();
        }
        ProviderTree tree = view.treeOf(provider);
        return tree.nodes().stream().map(node -> changed.getOrDefault(node.id(), node)).toList();
    }

    private void put(Provider provider) {
        changed.put(provider.id(), provider);
        added.computeIfPresent(provider.uuid(), (_, _) -> provider);
    }

    private void put(Provider provider, Map<Integer, Stock> stocks) {
        List<Stock> rows = List.copyOf(stocks.values());
        var inventories = new Inventories(
                stocks.keySet().stream().mapToInt(Integer::intValue).toArray(),
                rows.stream().mapToInt(row -> row.inventory().total()).toArray(),
                rows.stream().mapToInt(row -> row.inventory().reserved()).toArray(),
                rows.stream().mapToInt(row -> row.inventory().minUnit()).toArray(),
                rows.stream().mapToInt(row -> row.inventory().maxUnit()).toArray(),
                rows.stream().mapToInt(row -> row.inventory().stepSize()).toArray(),
                rows.stream().mapToDouble(row -> row.inventory().allocationRatio()).toArray(),
                rows.stream().mapToLong(Stock::used).toArray(),
                provider.inventories().updatedAtMs());
        put(provider.with(inventories, provider.traitIds().clone(), provider.aggregates().clone()));
    }

    /** Returns the inventories of the provider, by ascending class id. */
    private static Map<Integer, Stock> stocks(Provider provider) {
        Inventories inventories = provider.inventories();
        Map<Integer, Stock> stocks = new TreeMap<>();
        for (int i = 0; i < inventories.size(); i++) {
            stocks.put(inventories.classIds()[i], new Stock(inventories.get(i), inventories.used()[i]));
        }
        return stocks;
    }

    /**
     * Records a value that a change sets. Refuses a value that contradicts an earlier change, and any value once {@link
     * #assignmentsMax} values are set.
     *
     * @param at where the change states the value
     * @param changePath the path of the change, for the message of a later contradiction
     * @param key the elements of the key in {@link #assignments}
     */
    private void assign(JsonAt at, String changePath, Object value, Object... key) {
        if (assignments.size() >= assignmentsMax) {
            throw new ApiException(
                    413, ErrorCode.UNDEFINED, at.path() + ": more than " + assignmentsMax
                            + " values are changed (a change of several providers counts once for each):"
                            + " change fewer at a time");
        }
        Assignment earlier = assignments.putIfAbsent(List.of(key), new Assignment(value, changePath));
        if (earlier != null && !earlier.value().equals(value)) {
            throw at.refused(at.excerpt() + " contradicts " + earlier.changePath());
        }
    }

    private int classId(String name, JsonAt at) {
        NameCatalogue.Entry entry = view.resourceClasses().find(name);
        if (entry == null) {
            throw at.refused("no resource class " + name);
        }
        return entry.id();
    }

    private int traitId(JsonAt at) {
        NameCatalogue.Entry entry = view.traits().find(at.text(CLASS_NAME_LENGTH_MAX));
        if (entry == null) {
            throw at.refused("no trait " + at.node().textValue());
        }
        return entry.id();
    }
}
