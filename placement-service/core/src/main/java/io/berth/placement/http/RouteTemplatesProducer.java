package io.berth.placement.http;

import io.berth.observability.RouteTemplates;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Provides the templates of the routes, with which metrics label requests. */
@Singleton
final class RouteTemplatesProducer {
    @Produces
    @Singleton
    RouteTemplates templates() {
        return Routes.templates();
    }
}
