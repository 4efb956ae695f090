package io.berth.placement.candidate.explanation;

import io.berth.placement.candidate.query.RequestGroup;
import io.berth.placement.candidate.search.GroupPart;
import io.berth.placement.fleet.Provider;
import io.berth.placement.fleet.ProviderTree;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Objects;

/**
 * One demand of a query: a condition, an amount, or a rule for several groups. A relaxation drops whole demands.
 * Whether a provider meets the demand is decided by a {@link GroupPart} of the search that has only this demand.
 *
 * @param suffix suffix of the group that the demand belongs to; empty for the unsuffixed group, for demands on the root
 *         or the tree, and for rules
 * @param parameter name of the query parameter, with suffix: {@code resources_net}
 * @param value value of the query parameter: {@code VCPU:4}
 * @param condition a request group that has only this demand; null for demands on the root or the tree, and for rules
 * @param names the traits, aggregates or classes in the value, with {@code !} before a forbidden one; for {@code
 *         same_subtree} the suffixes of the groups
 * @param alone decides whether a provider meets the demand; for a forbidden inventory, only its resource class is used;
 *         null for rules
 * @param parts indexes of the parts of the query whose providers must meet the demand; empty for demands on the root or
 *         the tree, and for rules
 */
record Demand(
        Kind kind, String suffix, String parameter, String value, @Nullable RequestGroup condition, List<String> names,
        @Nullable GroupPart alone, int[] parts) {

    /** The kinds of demands, by the query parameter that contains them. */
    enum Kind {
        IN_TREE,
        MEMBER_OF,
        NOT_MEMBER_OF,
        REQUIRED,
        FORBIDDEN,
        ROOT_REQUIRED,
        ROOT_FORBIDDEN,
        WITHOUT_INVENTORY,
        AMOUNT,
        /** {@code group_policy=isolate} with several suffixed groups: each needs a different provider. */
        ISOLATE,
        SAME_SUBTREE
    }

    /** Returns the demand as in a query string: {@code resources=VCPU:200}. */
    String text() {
        return parameter + "=" + value;
    }

    boolean isAmount() {
        return kind == Kind.AMOUNT;
    }

    /**
     * Returns whether this is an amount of the unsuffixed group. The amounts of that group may come from several
     * providers, which need the group's traits only together.
     */
    boolean isUnsuffixedAmount() {
        return isAmount() && suffix.isEmpty();
    }

    /** Returns whether this is a demand on the traits of the root. */
    boolean isOfRoot() {
        return kind == Kind.ROOT_REQUIRED || kind == Kind.ROOT_FORBIDDEN;
    }

    /** Returns whether the tree alone decides about this demand, independent of the providers that serve the groups. */
    boolean isOfTree() {
        return isOfRoot() || kind == Kind.WITHOUT_INVENTORY;
    }

    /** Returns whether this is a rule for several groups, which no single provider can meet. */
    boolean isRule() {
        return kind == Kind.ISOLATE || kind == Kind.SAME_SUBTREE;
    }

    /**
     * Returns whether this is a required trait of the unsuffixed group: one provider with the trait suffices for the
     * group.
     */
    boolean isTogether() {
        return kind == Kind.REQUIRED && suffix.isEmpty();
    }

    /**
     * Returns the id of the resource class of an amount or of a forbidden inventory. Must not be called for other
     * demands.
     */
    int classId() {
        return part().classIds()[0];
    }

    private GroupPart part() {
        return Objects.requireNonNull(alone, "a rule has no part");
    }

    /** Returns the amount. Must not be called for other demands. */
    long amount() {
        return part().amounts()[0];
    }

    /** Returns whether the tree meets a demand for which {@link #isOfTree} is true. */
    boolean isMetBy(ProviderTree tree) {
        return isOfRoot() ? isMetBy(tree.root(), tree.root()) : tree.nodes().stream().noneMatch(this::has);
    }

    /** Returns whether the provider has an inventory of {@link #classId}. */
    boolean has(Provider provider) {
        return provider.inventories().find(classId()) >= 0;
    }

    /**
     * Returns whether the provider meets the demand for the tree with this root. The provider may be a sharing provider
     * of another tree. Must not be called for rules.
     */
    boolean isMetBy(Provider provider, Provider root) {
        if (isTogether() || isOfRoot()) {
            return part().group().hasRequired(provider) && !part().group().hasForbidden(provider);
        }
        return provider.rootId() == root.id()
                ? part().hasRoom(provider) && part().suits(provider, root)
                : part().isServedBySharing(provider) && part().allowsAnchor(root);
    }
}
