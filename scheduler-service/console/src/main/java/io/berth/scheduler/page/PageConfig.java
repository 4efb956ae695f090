package io.berth.scheduler.page;

import io.smallrye.config.ConfigMapping;
import java.util.Optional;

/** Options of the operator's page. */
@ConfigMapping(prefix = "berth.page")
public interface PageConfig {
    /**
     * URL at which the operator's browser reaches a Prometheus that scrapes the schedulers. The page draws charts of
     * the past from its data. Prometheus must allow the page's origin (its option {@code web.cors.origin}). Unset: the
     * page shows only the history since it was opened.
     */
    Optional<String> prometheusUrl();
}
