package io.berth.identity.policy;

import io.berth.identity.Caller;
import jakarta.annotation.Nullable;
import java.util.Map;

/** The attributes of a caller that rules can use, apart from roles; named as in oslo.context. */
enum CallerAttribute {
    USER_ID, PROJECT_ID, DOMAIN_ID, SYSTEM_SCOPE;

    static final Map<String, CallerAttribute> BY_NAME = Map.of(
            "user_id", USER_ID, "project_id", PROJECT_ID, "domain_id", DOMAIN_ID, "system_scope", SYSTEM_SCOPE);

    /** Returns the text to compare; null if the caller lacks the attribute. */
    @Nullable String textOf(Caller caller) {
        return switch (this) {
            case USER_ID -> caller.userId();
            case PROJECT_ID -> caller.projectId();
            case DOMAIN_ID -> caller.domainId();
            case SYSTEM_SCOPE -> caller.systemScoped() ? "all" : null;
        };
    }
}
