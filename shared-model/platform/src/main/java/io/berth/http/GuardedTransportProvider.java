package io.berth.http;

import io.vertx.core.impl.VertxBuilder;
import io.vertx.core.spi.VertxServiceProvider;

/**
 * Makes Vert.x use a {@link GuardedTransport} whose memory budgets are parts of the heap. Vert.x finds this class
 * through Java's service loader.
 */
public final class GuardedTransportProvider implements VertxServiceProvider {
    @Override
    public void init(VertxBuilder builder) {
        builder.findTransport(new GuardedTransport(new SharedGuardState(Runtime.getRuntime().maxMemory())));
    }
}
