package io.berth.placement.allocation;

import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * The project and user that are stored for a consumer if the client's microversion is below 1.8, which has no project
 * and user. The audit also uses this project and user for the consumers that it inserts.
 *
 * <p>Options: {@code [placement] incomplete_consumer_project_id} and {@code incomplete_consumer_user_id}, strings of up
 * to 255 characters; the default is a uuid of zeros. Source: upstream {@code placement/conf/placement.py}.
 */
@Singleton
public final class IncompleteConsumer {
    private static final String NO_OWNER = "00000000-0000-0000-0000-000000000000";

    private final String projectId;
    private final String userId;

    /**
     * @param projectId project of consumers that were written at a microversion below 1.8, which has no project and
     *         user
     * @param userId user of consumers that were written at a microversion below 1.8, which has no project and user
     */
    IncompleteConsumer(
            @ConfigProperty(name = "berth.placement.placement.incomplete-consumer-project-id",
                    defaultValue = NO_OWNER) String projectId,
            @ConfigProperty(name = "berth.placement.placement.incomplete-consumer-user-id",
                    defaultValue = NO_OWNER) String userId) {
        this.projectId = projectId;
        this.userId = userId;
    }

    public String projectId() {
        return projectId;
    }

    public String userId() {
        return userId;
    }
}
