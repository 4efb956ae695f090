package io.berth.http;

import io.vertx.core.impl.VertxBuilder;
import io.vertx.core.spi.VertxServiceProvider;

/** Found by Vert.x as a service. */
public final class DoorProvider implements VertxServiceProvider {
    @Override
    public void init(VertxBuilder builder) {
        builder.findTransport(new DoorTransport(new Door(Runtime.getRuntime().maxMemory())));
    }
}
