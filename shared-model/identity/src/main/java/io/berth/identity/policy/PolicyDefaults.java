package io.berth.identity.policy;

import java.util.List;

/** The rules of a service. One bean per service. */
public interface PolicyDefaults {
    /**
     * Rules whose name has a colon stand for operations, and others with a colon in a file mean nothing; the rest are
     * names for other rules to use, and a file may add to them.
     */
    List<DefaultRule> rules();
}
