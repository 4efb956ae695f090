package io.berth.database;

import io.quarkus.reactive.pg.client.PgPoolCreator;
import io.vertx.sqlclient.Pool;

/**
 * Creates the pool of one data source with {@link PoolLimits}. Each subclass is a bean, qualified by its data source.
 */
public abstract class LimitedPoolCreator implements PgPoolCreator {
    private final String name;
    private final PoolLimits limits;
    private final CurrentPrimary primary;

    /**
     * @param name name of the pool in metrics ({@link PoolMeters}); unique in the service
     * @param primary the current primary, which all pools of the service share
     */
    protected LimitedPoolCreator(String name, PoolLimits limits, CurrentPrimary primary) {
        this.name = name;
        this.limits = limits;
        this.primary = primary;
    }

    @Override
    public final Pool create(Input input) {
        return limits.create(name, input, primary);
    }
}
