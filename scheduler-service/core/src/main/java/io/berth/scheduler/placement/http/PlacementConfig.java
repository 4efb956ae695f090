package io.berth.scheduler.placement.http;

import jakarta.inject.Singleton;
import java.time.Duration;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The options of calls to placement. */
@Singleton
class PlacementConfig {
    private final String url;
    private final String token;
    private final Duration timeout;
    private final Duration connectTimeout;
    private final int connections;
    private final int queue;

    /**
     * @param url base URL of placement, http or https; a path is kept as prefix
     * @param token header x-auth-token of the strategy {@code token}; the default is valid for the development profiles
     * @param timeout time limit of one attempt of a call, including its connection; audits, the state of a replica and
     *     queries on a scenario have their own limits
     * @param connectTimeout time limit for opening one connection
     * @param connections maximum connections to placement, at least 1; queries on a scenario use one more connection
     * @param queue maximum calls that wait for a connection; further calls fail at once
     */
    PlacementConfig(
            @ConfigProperty(name = "berth.placement-url", defaultValue = "http://127.0.0.1:8778") String url,
            @ConfigProperty(name = "berth.placement-token", defaultValue = "admin") String token,
            @ConfigProperty(name = "berth.placement-timeout", defaultValue = "10S") Duration timeout,
            @ConfigProperty(name = "berth.placement-connect-timeout", defaultValue = "2S") Duration connectTimeout,
            @ConfigProperty(name = "berth.placement-connections", defaultValue = "32") int connections,
            @ConfigProperty(name = "berth.placement-queue", defaultValue = "2000") int queue) {
        this.url = url;
        this.token = token.strip();
        this.timeout = timeout;
        this.connectTimeout = connectTimeout;
        this.connections = connections;
        this.queue = queue;
    }

    String url() {
        return url;
    }

    String token() {
        return token;
    }

    Duration timeout() {
        return timeout;
    }

    Duration connectTimeout() {
        return connectTimeout;
    }

    int connections() {
        return connections;
    }

    int queue() {
        return queue;
    }
}
