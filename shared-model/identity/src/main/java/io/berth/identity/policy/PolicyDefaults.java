package io.berth.identity.policy;

import java.util.List;

/** The default rules of a service, which provides one bean of this type. */
public interface PolicyDefaults {
    /**
     * Returns the default rules. A rule whose name has a colon belongs to an operation of the service. A policy file
     * can override such a rule, but not add an operation. Rules without a colon are for reference by other rules; a
     * policy file may override them and add more.
     */
    List<DefaultRule> rules();
}
