package io.berth.scheduler.placement;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;
import java.time.Duration;

/** Where placement is and how long to wait for it. */
@ConfigMapping(prefix = "berth")
public interface PlacementConfig {
    /** BERTH_PLACEMENT_URL; http or https, a path is kept as prefix. */
    @WithName("placement-url")
    @WithDefault("http://127.0.0.1:8778")
    String url();

    /** Sent as x-auth-token. The default suits the development profiles, which believe it. */
    @WithName("placement-token")
    @WithDefault("admin")
    String token();

    /** Limit for one call, connection included. */
    @WithName("placement-timeout")
    @WithDefault("10S")
    Duration timeout();

    /** Limit for the opening of one connection. */
    @WithName("placement-connect-timeout")
    @WithDefault("2S")
    Duration connectTimeout();

    /** Connections to placement, at least 1. */
    @WithName("placement-connections")
    @WithDefault("32")
    int connections();

    /** Calls that may wait for a connection; more fail at once. */
    @WithName("placement-queue")
    @WithDefault("2000")
    int queue();
}
