package io.berth.scheduler.page;

import io.smallrye.config.ConfigMapping;
import java.util.Optional;

/** What the operator's page is told, beside what it asks of the routes. */
@ConfigMapping(prefix = "berth.page")
public interface PageConfig {
    /**
     * Where the operator's browser reaches a Prometheus that scrapes the schedulers: the page draws history from it. It must
     * allow this origin (its option {@code web.cors.origin}). Unset: the page remembers what it saw while it was open.
     */
    Optional<String> prometheusUrl();
}
