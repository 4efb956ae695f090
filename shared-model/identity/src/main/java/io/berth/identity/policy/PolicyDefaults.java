package io.berth.identity.policy;

import java.util.List;

/** The rules of a service. One bean per service. */
public interface PolicyDefaults {
    /**
     * Returns the default rules. A rule whose name has a colon belongs to an operation; a file cannot add operations,
     * so other rules with a colon in it have no effect. The other rules are for use in rules; a file may add more of
     * them.
     */
    List<DefaultRule> rules();
}
