package io.berth.placement.http;

import io.berth.observability.RouteTemplates;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** What requests are counted under in metrics. */
@Singleton
final class RouteNames {
    @Produces
    @Singleton
    RouteTemplates templates() {
        return Routes.templates();
    }
}
