package io.berth.identity;

import io.berth.identity.policy.DefaultRule;
import io.berth.identity.policy.PolicyDefaults;
import jakarta.inject.Singleton;
import java.util.List;

/** Policy rules of the test service. */
@Singleton
class TestRules implements PolicyDefaults {
    @Override
    public List<DefaultRule> rules() {
        return List.of(DefaultRule.of("test:look", "role:reader"));
    }
}
