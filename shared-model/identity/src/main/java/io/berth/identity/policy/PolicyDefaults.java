package io.berth.identity.policy;

import java.util.List;

/** The default rules of a service, which provides one bean of this type. */
public interface PolicyDefaults {
    /**
     * Returns the default rules. A rule whose name has a colon belongs to an operation of the service. A policy file
     * cannot add operations, so a rule of another such name has no effect there. Rules without a colon are for
     * reference by other rules; a policy file may add more of them.
     */
    List<DefaultRule> rules();
}
