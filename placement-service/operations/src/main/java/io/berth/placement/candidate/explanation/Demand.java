package io.berth.placement.candidate.explanation;

import io.berth.placement.candidate.query.RequestGroup;
import io.berth.placement.candidate.search.GroupPart;
import io.berth.placement.candidate.search.ResolvedGroup;
import io.berth.placement.fleet.Provider;
import io.berth.placement.fleet.ProviderTree;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Objects;

/**
 * One demand of a query: a condition (a trait, an aggregate, a tree, or a resource class that the tree must not have),
 * an amount of a resource class, or a rule for several request groups. Explanations and relaxations drop whole demands
 * from the query.
 *
 * @param suffix suffix of the group that the demand belongs to; empty for the unsuffixed group, for demands {@linkplain
 *         #isOfTree on the tree}, and for rules
 * @param parameter name of the query parameter, with suffix, such as {@code resources_net}
 * @param value value of the query parameter, such as {@code VCPU:4}
 * @param condition a request group that has only this demand; null for demands on the tree, and for rules
 * @param names the traits, aggregates, classes or tree in the value, with {@code !} before a forbidden trait or
 *         aggregate; for {@code same_subtree} the suffixes of the groups, empty for {@code group_policy}
 * @param groupPart a part of the search that has only this demand, and so decides whether a provider meets it; null for
 *         rules. For {@code WITHOUT_INVENTORY}, only its resource class is used
 * @param parts indexes of the parts of the query whose providers must meet the demand; empty for demands on the tree,
 *         and for rules. A part is what one provider serves: a suffixed group, or one resource class of the unsuffixed
 *         group
 */
record Demand(
        Kind kind, String suffix, String parameter, String value, @Nullable RequestGroup condition, List<String> names,
        @Nullable GroupPart groupPart, int[] parts) {

    /** The kinds of demands. A query parameter that can require and forbid has two kinds. */
    enum Kind {
        IN_TREE,
        MEMBER_OF,
        NOT_MEMBER_OF,
        REQUIRED,
        FORBIDDEN,
        ROOT_REQUIRED,
        ROOT_FORBIDDEN,
        /** {@link io.berth.placement.candidate.query.CandidateQueryParser#WITHOUT_INVENTORY}. */
        WITHOUT_INVENTORY,
        AMOUNT,
        /** {@code group_policy=isolate} with several suffixed groups: each needs a different provider. */
        ISOLATE,
        SAME_SUBTREE
    }

    /** Returns the demand as in a query string, such as {@code resources=VCPU:200}. */
    String text() {
        return parameter + "=" + value;
    }

    boolean isAmount() {
        return kind == Kind.AMOUNT;
    }

    /**
     * Returns whether this is an amount of the unsuffixed group. Several providers may serve the amounts of that group;
     * each required trait of the group need only be on one of these providers.
     */
    boolean isUnsuffixedAmount() {
        return isAmount() && suffix.isEmpty();
    }

    /** Returns whether this is a demand on the traits of the root. */
    boolean isOfRoot() {
        return kind == Kind.ROOT_REQUIRED || kind == Kind.ROOT_FORBIDDEN;
    }

    /**
     * Returns whether this demand depends only on the tree, not on the choice of the providers that serve the groups.
     */
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
    boolean isUnsuffixedRequired() {
        return kind == Kind.REQUIRED && suffix.isEmpty();
    }

    /**
     * Returns the id of the resource class of an {@code AMOUNT} or {@code WITHOUT_INVENTORY}. Must not be called for
     * demands of another kind.
     */
    int classId() {
        return requireGroupPart().classIds()[0];
    }

    private GroupPart requireGroupPart() {
        return Objects.requireNonNull(groupPart, "a rule has no GroupPart");
    }

    /** Returns the amount, in units of the resource class. Must not be called unless {@link #isAmount}. */
    long amount() {
        return requireGroupPart().amounts()[0];
    }

    /** Returns whether the tree meets a demand for which {@link #isOfTree} is true. */
    boolean isMetBy(ProviderTree tree) {
        return isOfRoot()
                ? isMetBy(tree.root(), tree.root())
                : tree.nodes().stream().noneMatch(this::hasInventoryOfClass);
    }

    /** Returns whether the provider has an inventory of {@link #classId}. */
    boolean hasInventoryOfClass(Provider provider) {
        return provider.inventories().find(classId()) >= 0;
    }

    /**
     * Returns whether the provider meets the demand for the tree with this root. The provider may be a sharing provider
     * of another tree. Must not be called for rules and {@code WITHOUT_INVENTORY}.
     */
    boolean isMetBy(Provider provider, Provider root) {
        if (isUnsuffixedRequired() || isOfRoot()) {
            ResolvedGroup ofPart = requireGroupPart().group();
            return ofPart.hasRequiredTraits(provider) && !ofPart.hasForbiddenTrait(provider);
        }
        return provider.rootId() == root.id()
                ? requireGroupPart().hasRoom(provider) && requireGroupPart().suits(provider, root)
                : requireGroupPart().isServedBySharing(provider) && requireGroupPart().allowsSharingForTreeOf(root);
    }
}
