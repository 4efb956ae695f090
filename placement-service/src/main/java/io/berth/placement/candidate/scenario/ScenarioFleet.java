package io.berth.placement.candidate.scenario;

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
 * Builds the view of a scenario: the present fleet with the changes of a request (docs/what-if.md). Changes are applied
 * in order, each to the result of the earlier ones. The cost of the view depends only on the number of changed
 * providers. An impossible value, or a change that contradicts an earlier one, is refused with 400, and an unknown
 * provider with 404; the message contains the path of the value in the request.
 */
final class ScenarioFleet {
    /** The most changes in a request. */
    static final int CHANGES_MAX = 10_000;
    /**
     * Approximate heap bytes for one value that a change sets, with the part of the new {@link Provider} that the value
     * causes.
     */
    static final int ASSIGNMENT_BYTES = 256;
    /** The longest name of an added root provider, in characters. */
    private static final int NAME_LENGTH_MAX = 200;
    /** The most traits or aggregates in one list of a change. */
    private static final int NAMES_MAX = 1_000;
    /** The largest change of the use of an inventory, in units. */
    private static final long USE_MAX = 1L << 40;
    /** The largest allocation ratio, as upstream's schema. */
    private static final double RATIO_MAX = 3.40282e38;
    /** The longest name of a resource class or trait, in characters. */
    private static final int CLASS_NAME_LENGTH_MAX = 255;
    /** The members of an inventory that a change may set. */
    private static final String[] MEMBERS =
            {"total", "reserved", "min_unit", "max_unit", "step_size", "allocation_ratio"};
    /**
     * The id of the first added provider. Ids of added providers are above all ids of the database, so that added
     * providers come last in every order.
     */
    private static final long FIRST_ID = 1L << 62;

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
    /** The ids of removed providers, except of those that a change had added. */
    private final List<Long> removedIds = new ArrayList<>();
    /**
     * The values that changes have set; a second, different value for the same key is a contradiction. The key is a
     * list: the provider's id, and then the id of the resource class and the member, or the kind of name and the name.
     * Setting any member also sets the inventory itself to "kept", so that removing the inventory contradicts.
     */
    private final Map<List<Object>, Assignment> assignments = new HashMap<>();
    private long nextId = FIRST_ID;

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
        JsonAt content = change.oneOf("inventory", "remove_inventory", "traits", "aggregates", "use", "remove", "add");
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

    private void setInventory(JsonAt content, String changePath) {
        content.object(
                "provider", "trees", "resource_class", "total", "reserved", "min_unit", "max_unit", "step_size",
                "allocation_ratio");
        JsonAt of = content.oneOfThese("provider", "trees");
        boolean ofOneProvider = of.name().equals("provider");
        List<Provider> providers = ofOneProvider ? List.of(find(of)) : inTrees(of);
        int classId = classId(content.get("resource_class").text(CLASS_NAME_LENGTH_MAX), content.get("resource_class"));
        List<JsonAt> given = Arrays.stream(MEMBERS).map(content::find).filter(Objects::nonNull).toList();
        if (given.isEmpty()) {
            throw content.refused("must set at least one of " + String.join(", ", MEMBERS));
        }
        boolean found = false;
        for (Provider provider : providers) {
            if (ofOneProvider || stocks(provider).containsKey(classId)) {
                setInventory(
                        content, changePath, given, provider, classId, ofOneProvider ? "" : " of " + provider.name());
                found = true;
            }
        }
        if (!found) {
            throw content.get("resource_class").refused(
                    "none of the providers has an inventory of " + content.get("resource_class").node().textValue());
        }
    }

    /**
     * Sets the given members of one inventory; other members keep their values, or get the defaults of a new inventory.
     *
     * @param content the change
     * @param given the members that the change sets
     * @param whose a suffix for error messages that names the provider; empty if the change names only this provider
     */
    private void setInventory(JsonAt content, String changePath, List<JsonAt> given, Provider provider, int classId,
            String whose) {
        Map<Integer, Stock> stocks = stocks(provider);
        Stock before = stocks.get(classId);
        Inventory was = before == null ? new Inventory(0, 0, 1, Integer.MAX_VALUE, 1, 1.0) : before.inventory();
        if (before == null) {
            // A new inventory must state its total: get refuses a missing member.
            content.get("total");
        }
        var now = new Inventory(
                member(content, "total", 1, was.total()), member(content, "reserved", 0, was.reserved()),
                member(content, "min_unit", 1, was.minUnit()), member(content, "max_unit", 1, was.maxUnit()),
                member(content, "step_size", 1, was.stepSize()),
                content.find("allocation_ratio") == null
                        ? was.allocationRatio()
                        : content.get("allocation_ratio").number(0, RATIO_MAX));
        assign(content, changePath, "kept", provider.id(), classId, "inventory");
        for (JsonAt member : given) {
            assign(member, changePath, member.node().doubleValue(), provider.id(), classId, member.name());
        }
        JsonAt place = given.size() == 1 ? given.getFirst() : content;
        double capacity = Inventory.whole(now.capacity());
        if (capacity < 0) {
            throw place.refused(place.excerpt() + " reserves " + now.reserved() + " of " + now.total() + whose);
        }
        long used = before == null ? 0 : before.used();
        if (used > now.capacity() && now.capacity() < was.capacity()) {
            throw place.refused(
                    place.excerpt() + " leaves a capacity of " + (long) capacity + whose + ", and " + used
                            + " are used");
        }
        stocks.put(classId, new Stock(now, used));
        put(provider, stocks);
    }

    /** Returns the member of the change; {@code otherwise} if the change does not set the member. */
    private static int member(JsonAt content, String name, int min, int otherwise) {
        JsonAt member = content.find(name);
        return member == null ? otherwise : (int) member.integer(min, Integer.MAX_VALUE);
    }

    private void removeInventory(JsonAt content, String changePath) {
        content.object("provider", "resource_class");
        Provider provider = find(content.get("provider"));
        JsonAt name = content.get("resource_class");
        int classId = classId(name.text(CLASS_NAME_LENGTH_MAX), name);
        assign(content, changePath, "removed", provider.id(), classId, "inventory");
        Map<Integer, Stock> stocks = stocks(provider);
        Stock gone = stocks.remove(classId);
        if (gone == null) {
            throw name.refused(noInventory(provider, name.node().textValue()));
        }
        if (gone.used() > 0) {
            throw name.refused(gone.used() + " " + name.node().textValue() + " of resource provider "
                    + provider.uuid() + " are in use");
        }
        put(provider, stocks);
    }

    /**
     * Changes the use of a provider. Changes of use add up, and so do not contradict each other. With {@code if_there},
     * a release is skipped if the provider or inventory does not exist, and a release of more than is used sets the use
     * to 0.
     */
    private void changeUse(JsonAt content) {
        content.object("provider", "resources", "if_there");
        boolean ifThere = content.find("if_there") != null && content.get("if_there").flag();
        List<JsonAt> amounts = content.get("resources").members();
        boolean onlyReleases = amounts.stream().noneMatch(each -> amount(each) > 0);
        if (ifThere && !isThere(content.get("provider").uuid()) && onlyReleases) {
            return;
        }
        Provider provider = find(content.get("provider"));
        Map<Integer, Stock> stocks = stocks(provider);
        for (JsonAt amount : amounts) {
            int classId = classId(amount.name(), amount);
            Stock before = stocks.get(classId);
            long delta = amount(amount);
            if (before == null) {
                if (ifThere && delta <= 0) {
                    continue;
                }
                throw amount.refused(noInventory(provider, amount.name()));
            }
            if (before.used() + delta < 0 && !ifThere) {
                throw amount.refused("releases " + -delta + ", and only " + before.used() + " are used");
            }
            stocks.put(classId, new Stock(before.inventory(), Math.max(0, before.used() + delta)));
        }
        put(provider, stocks);
    }

    private static long amount(JsonAt at) {
        return at.integer(-USE_MAX, USE_MAX);
    }

    private boolean isThere(UUID provider) {
        return !removed.containsKey(provider) && (added.containsKey(provider) || view.find(provider) != null);
    }

    private static String noInventory(Provider provider, String resourceClass) {
        return "resource provider " + provider.uuid() + " has no inventory of " + resourceClass;
    }

    private void changeTraits(JsonAt content, String changePath) {
        content.object("provider", "trees", "add", "remove");
        if (content.oneOfThese("provider", "trees").name().equals("provider")) {
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
        boolean changes = false;
        for (JsonAt name : toAdd) {
            int id = traitId(name);
            assign(name, changePath, "added", provider.id(), "trait", id);
            changes |= ids.add(id);
        }
        for (JsonAt name : toRemove) {
            int id = traitId(name);
            assign(name, changePath, "removed", provider.id(), "trait", id);
            changes |= ids.remove(id);
        }
        if (changes) {
            put(provider.with(
                    provider.inventories(), ids.stream().mapToInt(Integer::intValue).toArray(),
                    provider.aggregates().clone()));
        }
    }

    private void changeAggregates(JsonAt content, String changePath) {
        content.object("provider", "trees", "add", "remove");
        JsonAt of = content.oneOfThese("provider", "trees");
        for (JsonAt each : of.name().equals("provider") ? List.of(of) : of.list(ScenarioQuery.ROOTS_MAX)) {
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
        JsonAt of = content.oneOfThese("root", "roots");
        for (JsonAt root : of.name().equals("root") ? List.of(of) : of.list(ScenarioQuery.ROOTS_MAX)) {
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
        List<Provider> like = tree(content.get("like"));
        JsonAt of = content.oneOfThese("root", "roots");
        boolean one = of.name().equals("root");
        List<JsonAt> roots = one ? List.of(of) : of.list(ScenarioQuery.ROOTS_MAX);
        List<JsonAt> names = one ? List.of(content.get("name")) : content.get("names").list(ScenarioQuery.ROOTS_MAX);
        if (roots.size() != names.size()) {
            throw content.get("names").refused(names.size() + " names for " + roots.size() + " roots");
        }
        for (int i = 0; i < roots.size(); i++) {
            add(content, like, roots.get(i), names.get(i));
        }
    }

    /**
     * Adds a copy of a tree; nothing of the copy is in use.
     *
     * @param content the change
     * @param like the providers of the tree to copy, parents before children
     */
    private void add(JsonAt content, List<Provider> like, JsonAt rootAt, JsonAt nameAt) {
        UUID root = rootAt.uuid();
        String name = nameAt.text(NAME_LENGTH_MAX);
        if (added.size() + like.size() > addedMax) {
            throw new ApiException(
                    413, ErrorCode.UNDEFINED,
                    content.path() + ": more than " + addedMax + " resource providers are added");
        }
        Map<Long, Long> ids = new HashMap<>();
        for (Provider each : like) {
            ids.put(each.id(), nextId++);
        }
        long rootId = ids.get(like.getFirst().id());
        addedTrees.put(rootId, ids.values().stream().sorted().toList());
        for (Provider each : like) {
            UUID uuid = each.isRoot() ? root : childUuid(root, each.uuid());
            String ownName = each.isRoot() ? name : name + "/" + each.name();
            requireNew(each.isRoot() ? rootAt : content, each.isRoot() ? nameAt : content, uuid, ownName);
            long[] unused = new long[each.inventories().size()];
            Provider copy = new Provider(
                    ids.get(each.id()), uuid, ownName, 0, each.isRoot() ? 0 : ids.get(each.parentId()), rootId,
                    each.updatedAtMs(), each.inventories(), each.traitIds().clone(), each.aggregates().clone())
                    .withUsed(unused);
            added.put(uuid, copy);
            addedNames.put(ownName, uuid);
            changed.put(copy.id(), copy);
        }
    }

    /**
     * Returns the uuid of an added child provider, which depends only on the uuids of the added root and of the copied
     * child.
     */
    private static UUID childUuid(UUID root, UUID like) {
        return UUID.nameUUIDFromBytes((root + "/" + like).getBytes(StandardCharsets.US_ASCII));
    }

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

    /** Returns a provider as the changes so far left it; refuses an unknown or removed one. */
    private Provider find(JsonAt at) {
        UUID uuid = at.uuid();
        String removedBy = removed.get(uuid);
        if (removedBy != null) {
            throw at.refused("resource provider " + uuid + " is removed by " + removedBy);
        }
        Provider known = added.get(uuid);
        if (known == null) {
            known = view.find(uuid);
        }
        if (known == null) {
            throw at.notFound("no resource provider " + uuid);
        }
        return changed.getOrDefault(known.id(), known);
    }

    /**
     * Returns the providers of the tree with the named root as the changes so far left them, parents before children.
     */
    private List<Provider> tree(JsonAt at) {
        Provider root = find(at);
        if (!root.isRoot()) {
            throw at.refused("resource provider " + root.uuid() + " is not the root of its tree");
        }
        return treeOf(root);
    }

    /** Returns all providers of the trees that the named providers belong to, each tree once. */
    private List<Provider> inTrees(JsonAt of) {
        var roots = new HashSet<Long>();
        List<Provider> all = new ArrayList<>();
        for (JsonAt each : of.list(ScenarioQuery.ROOTS_MAX)) {
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

    private void put(Provider now) {
        changed.put(now.id(), now);
        added.computeIfPresent(now.uuid(), (_, _) -> now);
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
     * Records a value that a change sets; refuses a value that contradicts an earlier change.
     *
     * @param at where the change states the value
     * @param key the key of {@link #assignments}
     */
    private void assign(JsonAt at, String changePath, Object value, Object... key) {
        if (assignments.size() >= assignmentsMax) {
            throw new ApiException(
                    413, ErrorCode.UNDEFINED, at.path() + ": more than " + assignmentsMax
                            + " amounts and names are changed, counted for each provider: change fewer at a time");
        }
        Assignment before = assignments.putIfAbsent(List.of(key), new Assignment(value, changePath));
        if (before != null && !before.value().equals(value)) {
            throw at.refused(at.excerpt() + " contradicts " + before.changePath());
        }
    }

    private int classId(String name, JsonAt at) {
        NameCatalogue.Entry known = view.resourceClasses().find(name);
        if (known == null) {
            throw at.refused("no resource class " + name);
        }
        return known.id();
    }

    private int traitId(JsonAt at) {
        NameCatalogue.Entry known = view.traits().find(at.text(CLASS_NAME_LENGTH_MAX));
        if (known == null) {
            throw at.refused("no trait " + at.node().textValue());
        }
        return known.id();
    }
}
