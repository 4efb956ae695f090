package io.berth.placement.candidate.explanation;

import io.berth.placement.candidate.query.RequestGroup;
import io.berth.placement.candidate.search.GroupPart;
import io.berth.placement.fleet.Provider;
import io.berth.placement.fleet.ProviderTree;
import jakarta.annotation.Nullable;
import java.util.List;

/**
 * One demand of a query, the unit that a relaxation can leave out. The search's own {@link GroupPart}, built from this
 * condition alone, decides whether a provider meets it.
 *
 * @param suffix of its group; empty for the unsuffixed group, the root and rules
 * @param parameter as in a query string: {@code resources_net}
 * @param value as in a query string: {@code VCPU:4}
 * @param condition a group of this condition alone; null for the tree and rules
 * @param names the traits, aggregates or classes that it names, with {@code !} before a forbidden one; for a rule about
 *         subtrees the suffixes of the groups
 * @param alone decides whether a provider meets it: the condition, the condition on the root, or the class of a
 *         forbidden inventory; null for rules
 * @param parts positions of the parts of the query whose providers it concerns; none for the tree and rules
 */
record Demand(
        Kind kind, String suffix, String parameter, String value, @Nullable RequestGroup condition, List<String> names,
        @Nullable GroupPart alone, int[] parts) {

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
        /** Each of several suffixed groups needs a provider of its own. */
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

    /** Returns whether it is an amount of the unsuffixed group, whose providers have the group's traits together. */
    boolean isUnsuffixedAmount() {
        return isAmount() && suffix.isEmpty();
    }

    boolean isOfRoot() {
        return kind == Kind.ROOT_REQUIRED || kind == Kind.ROOT_FORBIDDEN;
    }

    /** Returns whether it concerns the tree, whichever providers serve the groups. */
    boolean isOfTree() {
        return isOfRoot() || kind == Kind.WITHOUT_INVENTORY;
    }

    /** Returns whether it concerns several groups together: no provider meets it by itself. */
    boolean isRule() {
        return kind == Kind.ISOLATE || kind == Kind.SAME_SUBTREE;
    }

    /** Returns whether one provider of any part of the group is enough to meet it for the whole group. */
    boolean isTogether() {
        return kind == Kind.REQUIRED && suffix.isEmpty();
    }

    /** Returns the class of an amount, or of a forbidden inventory. */
    int classId() {
        return alone.classIds()[0];
    }

    /** Returns the amount; only for amounts. */
    long amount() {
        return alone.amounts()[0];
    }

    /** Evaluates a demand {@linkplain #isOfTree of the tree}. */
    boolean isMetBy(ProviderTree tree) {
        return isOfRoot() ? isMetBy(tree.root(), tree.root()) : tree.nodes().stream().noneMatch(this::has);
    }

    /** Returns whether the provider has the class of an amount, or of a forbidden inventory. */
    boolean has(Provider provider) {
        return provider.inventories().find(classId()) >= 0;
    }

    /**
     * Returns whether this provider meets the demand for the tree with that root. The provider may be a sharing
     * provider of another tree.
     */
    boolean isMetBy(Provider provider, Provider root) {
        if (isTogether() || isOfRoot()) {
            return alone.group().hasRequired(provider) && !alone.group().hasForbidden(provider);
        }
        return provider.rootId() == root.id()
                ? alone.hasRoom(provider) && alone.suits(provider, root)
                : alone.isServedBySharing(provider) && alone.allowsAnchor(root);
    }
}
