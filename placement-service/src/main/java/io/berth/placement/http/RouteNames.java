package io.berth.placement.http;

import io.berth.observability.RouteTemplates;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Provides the names under which metrics count requests. */
@Singleton
final class RouteNames {
    @Produces
    @Singleton
    RouteTemplates templates() {
        return Routes.templates();
    }
}
