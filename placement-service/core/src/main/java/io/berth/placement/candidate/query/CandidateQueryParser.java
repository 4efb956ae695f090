package io.berth.placement.candidate.query;

import io.berth.model.Microversion;
import io.berth.placement.candidate.query.CandidateQuery.GroupPolicy;
import io.berth.placement.candidate.query.CandidateQuery.Nesting;
import io.berth.placement.http.ApiException;
import io.berth.placement.http.ErrorCode;
import io.berth.placement.http.Schema;
import io.berth.placement.query.MemberOfParameter;
import io.berth.placement.query.RequiredParameter;
import io.berth.placement.query.ResourcesParameter;
import io.berth.placement.query.UuidText;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses the query string of {@code GET /allocation_candidates} by the rules of its microversion. Error messages are
 * those of upstream. Source: upstream {@code placement/lib.py}, {@code placement/util.py}.
 */
public final class CandidateQueryParser {
    /**
     * A parameter of Berth's own routes: names of resource classes, separated by commas. A tree is a candidate only if
     * none of its providers has an inventory of any of these classes. Upstream's queries cannot express that.
     */
    public static final String WITHOUT_INVENTORY = "without_inventory";

    private static final Schema.Versions SCHEMAS =
            Schema.loadSince("allocation-candidates", 10, 16, 17, 21, 25, 31, 33, 35, 36);
    /** Matches the parameters of a request group; group 2 is the suffix, null for the unsuffixed group. */
    private static final Pattern GROUP_KEY =
            Pattern.compile("(resources|required|member_of|in_tree)([a-zA-Z0-9_-]{1,64})?");

    private final Map<String, List<String>> query;
    private final Microversion version;
    private final Set<String> withoutInventory;

    private CandidateQueryParser(
            Map<String, List<String>> query, Microversion version, Set<String> withoutInventory) {
        this.query = query;
        this.version = version;
        this.withoutInventory = withoutInventory;
    }

    /**
     * Parses a query.
     *
     * @param query the decoded parameters; each has its values in the order of the query string
     * @throws ApiException 400 for anything that the microversion does not allow
     */
    public static CandidateQuery parse(Map<String, List<String>> query, Microversion version) {
        SCHEMAS.at(version).checkQuery(query);
        return new CandidateQueryParser(query, version, Set.of()).read();
    }

    /**
     * Parses the query of one of Berth's own routes, by the rules of the newest microversion and with {@link
     * #WITHOUT_INVENTORY}.
     *
     * @throws ApiException 400 as for {@link #parse}
     */
    public static CandidateQuery parseOwn(Map<String, List<String>> query) {
        Map<String, List<String>> rest = new LinkedHashMap<>(query);
        List<String> withoutInventory = rest.remove(WITHOUT_INVENTORY);
        SCHEMAS.at(Microversion.MAX).checkQuery(rest);
        return new CandidateQueryParser(
                rest, Microversion.MAX, withoutInventory == null ? Set.of() : classes(withoutInventory)).read();
    }

    private static Set<String> classes(List<String> values) {
        Set<String> names = new LinkedHashSet<>();
        values.forEach(value -> names.addAll(Arrays.asList(value.split(",", -1))));
        if (names.contains("")) {
            throw refusal(
                    ErrorCode.QUERY_MISSING_VALUE,
                    "Invalid query string parameters: '" + WITHOUT_INVENTORY + "' names no resource class");
        }
        return names;
    }

    private CandidateQuery read() {
        int limit = limit();
        GroupPolicy policy = groupPolicy();
        RequiredParameter root = rootRequired();
        List<Set<String>> sameSubtrees = sameSubtrees();
        Map<String, RequestGroup> groups = groups();
        if (version.atLeast(36)) {
            checkSubtrees(groups, sameSubtrees);
        } else {
            checkOrphans(groups);
        }
        if (version.atLeast(22)) {
            checkConflicts(groups);
        }
        if (policy == null && groups.values().stream().filter(RequestGroup::isSuffixed).count() > 1) {
            throw ApiException.badRequest("The \"group_policy\" parameter is required when specifying more than one "
                    + "\"resources{N}\" parameter.");
        }
        Set<String> rootTraits = new LinkedHashSet<>();
        root.required().forEach(rootTraits::addAll);
        return new CandidateQuery(
                List.copyOf(groups.values()), policy == null ? GroupPolicy.NONE : policy, rootTraits, root.forbidden(),
                withoutInventory, sameSubtrees, limit, version.atLeast(29) ? Nesting.AWARE : Nesting.UNAWARE);
    }

    /**
     * Returns the limit; {@link CandidateQuery#NO_LIMIT} if it is absent or exceeds that number. Of a repeated
     * parameter the first value counts, as in upstream. The schema validates only the last value, so this method
     * validates the first.
     */
    private int limit() {
        List<String> values = query.get("limit");
        if (values == null) {
            return CandidateQuery.NO_LIMIT;
        }
        String first = values.getFirst();
        if (!first.matches("[1-9][0-9]*")) {
            throw ApiException.badRequest(
                    "Invalid query string parameters: '" + first + "' does not match '^[1-9][0-9]*$'");
        }
        return (int) ResourcesParameter.number(first, CandidateQuery.NO_LIMIT);
    }

    /**
     * Returns the policy; null if the parameter is absent. If the parameter is repeated, the first value counts, as for
     * {@link #limit}.
     */
    private @Nullable GroupPolicy groupPolicy() {
        List<String> values = query.get("group_policy");
        if (values == null) {
            return null;
        }
        return switch (values.getFirst()) {
            case "none" -> GroupPolicy.NONE;
            case "isolate" -> GroupPolicy.ISOLATE;
            default -> throw ApiException.badRequest(
                    "Invalid query string parameters: '" + values.getFirst() + "' is not one of ['none', 'isolate']");
        };
    }

    private RequiredParameter rootRequired() {
        List<String> values = query.get("root_required");
        if (values == null) {
            return new RequiredParameter(List.of(), Set.of());
        }
        if (values.size() > 1) {
            throw refusal(ErrorCode.DUPLICATE_QUERY_KEY, "Query parameter 'root_required' may be specified only once.");
        }
        RequiredParameter root = RequiredParameter.parse(values, RequiredParameter.Syntax.WITH_FORBIDDEN);
        Set<String> conflicts = new TreeSet<>();
        root.required().forEach(conflicts::addAll);
        conflicts.retainAll(root.forbidden());
        if (!conflicts.isEmpty()) {
            throw refusal(ErrorCode.QUERY_BAD_VALUE,
                    "Conflicting required and forbidden traits found in root_required: "
                            + String.join(", ", conflicts));
        }
        return root;
    }

    private List<Set<String>> sameSubtrees() {
        List<Set<String>> all = new ArrayList<>();
        for (String value : query.getOrDefault("same_subtree", List.of())) {
            Set<String> suffixes = new LinkedHashSet<>();
            for (String suffix : value.split(",", -1)) {
                suffixes.add(suffix.strip());
            }
            if (suffixes.contains("")) {
                throw refusal(
                        ErrorCode.QUERY_BAD_VALUE,
                        "Empty string (unsuffixed group) can not be specified in `same_subtree` ");
            }
            all.add(suffixes);
        }
        return all;
    }

    /** Returns the groups by suffix, in the order of their first parameter. */
    private Map<String, RequestGroup> groups() {
        Set<String> suffixes = new LinkedHashSet<>();
        for (String key : query.keySet()) {
            Matcher matcher = GROUP_KEY.matcher(key);
            if (matcher.matches()) {
                suffixes.add(matcher.group(2) == null ? "" : matcher.group(2));
            }
        }
        Map<String, RequestGroup> groups = new LinkedHashMap<>();
        suffixes.forEach(suffix -> groups.put(suffix, group(suffix)));
        return groups;
    }

    /**
     * Parses the parameters with this suffix. If {@code resources} or {@code in_tree} is repeated, each value is
     * validated, and the last one counts.
     */
    private RequestGroup group(String suffix) {
        Map<String, Long> resources = Map.of();
        for (String value : values("resources", suffix)) {
            resources = ResourcesParameter.parse(value);
        }
        List<String> requiredValues = values("required", suffix);
        RequiredParameter required = requiredValues.isEmpty()
                ? new RequiredParameter(List.of(), Set.of())
                : RequiredParameter.parse(requiredValues, RequiredParameter.Syntax.at(version));
        MemberOfParameter memberOf =
                MemberOfParameter.parse(values("member_of", suffix), suffix, MemberOfParameter.Syntax.at(version));
        String inTree = null;
        for (String value : values("in_tree", suffix)) {
            inTree = value.strip();
            if (!Schema.isUuidLike(inTree)) {
                throw ApiException.badRequest(
                        "Invalid query string parameters: Expected 'in_tree' parameter to be a format of uuid. Got: "
                                + value);
            }
        }
        return new RequestGroup(
                suffix, resources, required.required(), required.forbidden(), memberOf.memberOf(), memberOf.forbidden(),
                inTree == null ? null : UuidText.parseLenient(inTree));
    }

    private List<String> values(String key, String suffix) {
        return query.getOrDefault(key + suffix, List.of());
    }

    /**
     * Applies the rules from microversion 1.36: at least one group has resources, each group without resources is in a
     * {@code same_subtree}, and each suffix in a {@code same_subtree} is that of a group.
     */
    private static void checkSubtrees(Map<String, RequestGroup> groups, List<Set<String>> sameSubtrees) {
        Set<String> inSubtrees = new LinkedHashSet<>();
        sameSubtrees.forEach(inSubtrees::addAll);
        List<String> resourceless =
                groups.values().stream().filter(group -> group.resources().isEmpty()).map(RequestGroup::suffix)
                        .toList();
        if (resourceless.size() == groups.size()) {
            throw refusal(
                    ErrorCode.QUERY_MISSING_VALUE, "There must be at least one resources or resources[$S] parameter.");
        }
        List<String> unlisted = resourceless.stream().filter(suffix -> !inSubtrees.contains(suffix)).toList();
        if (!unlisted.isEmpty()) {
            throw refusal(ErrorCode.QUERY_BAD_VALUE, "Resourceless suffixed group request should be specified in "
                    + "`same_subtree` query param: bad group(s) - " + quotedList(unlisted) + ".");
        }
        List<String> unknown = inSubtrees.stream().filter(suffix -> !groups.containsKey(suffix)).toList();
        if (!unknown.isEmpty()) {
            throw refusal(ErrorCode.QUERY_BAD_VALUE, "Real suffixes should be specified in `same_subtree`: "
                    + quotedList(unknown) + " not found in " + quotedList(List.copyOf(groups.keySet())) + ".");
        }
    }

    /** Applies the rules of microversions below 1.36: there is at least one group, and each group has resources. */
    private static void checkOrphans(Map<String, RequestGroup> groups) {
        List<String> traits = new ArrayList<>();
        List<String> aggregates = new ArrayList<>();
        boolean isAnyResourceless = false;
        for (RequestGroup group : groups.values()) {
            if (group.resources().isEmpty()) {
                isAnyResourceless = true;
                if (!group.required().isEmpty()) {
                    traits.add("required" + group.suffix());
                }
                if (!group.memberOf().isEmpty() || !group.forbiddenAggregates().isEmpty()) {
                    aggregates.add("member_of" + group.suffix());
                }
            }
        }
        if (!traits.isEmpty()) {
            throw ApiException.badRequest(
                    "All traits parameters must be associated with resources.  Found the following "
                            + "orphaned traits keys: " + String.join(", ", traits));
        }
        if (!aggregates.isEmpty()) {
            throw ApiException.badRequest(
                    "All member_of parameters must be associated with resources. Found the following "
                            + "orphaned member_of keys: " + String.join(", ", aggregates));
        }
        if (isAnyResourceless) {
            throw ApiException.badRequest("All request groups must specify resources.");
        }
        if (groups.isEmpty()) {
            throw ApiException.badRequest("At least one request group (`resources` or `resources{$S}`) is required.");
        }
    }

    /**
     * Refuses a group that forbids every trait of one of its {@link RequestGroup#required} sets, so that no provider
     * could serve it.
     */
    private static void checkConflicts(Map<String, RequestGroup> groups) {
        Set<String> conflicts = new TreeSet<>();
        for (RequestGroup group : groups.values()) {
            for (Set<String> anyOf : group.required()) {
                if (group.forbidden().containsAll(anyOf)) {
                    conflicts.add("required" + group.suffix() + ": (" + String.join(", ", new TreeSet<>(anyOf)) + ")");
                }
            }
        }
        if (!conflicts.isEmpty()) {
            throw ApiException.badRequest(
                    "Conflicting required and forbidden traits found in the following traits keys: "
                            + String.join(", ", conflicts));
        }
    }

    private static String quotedList(List<String> suffixes) {
        return suffixes.isEmpty() ? "[]" : "['" + String.join("', '", suffixes) + "']";
    }

    private static ApiException refusal(ErrorCode code, String message) {
        return new ApiException(400, code, message);
    }
}
