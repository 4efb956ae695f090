package io.berth.http;

import io.vertx.core.impl.VertxBuilder;
import io.vertx.core.spi.VertxServiceProvider;

/** Found by Vert.x as a service. */
public final class GuardedTransportProvider implements VertxServiceProvider {
    @Override
    public void init(VertxBuilder builder) {
        builder.findTransport(new GuardedTransport(new ConnectionGuard(Runtime.getRuntime().maxMemory())));
    }
}
