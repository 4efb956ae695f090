package io.berth.database;

import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.SqlConnection;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jboss.logging.Logger;

/**
 * Tracks the primary to which all pools of this process connect. After a failover, the old primary may still run and
 * have open connections: reads on these connections would be stale, and writes would be lost. So the first connection
 * to a new primary closes all connections to the old primary, including those in use, and new connections to the old
 * primary are refused ({@link Server#isOlderThan}). A primary counts as new if its system identifier, timeline or start
 * time differs from that of the current primary. So a restarted primary counts as new, and so does one of which a value
 * has become known or unknown. Thread-safe.
 */
@Singleton
public final class CurrentPrimary {
    private static final Logger LOG = Logger.getLogger(CurrentPrimary.class);

    /** The interval at which a new connection is opened to detect a failover. */
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(5);

    private final Set<ChannelHandlerContext> connections = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean isWatched = new AtomicBoolean();
    private @Nullable Server current;

    /**
     * A PostgreSQL server, as one of its connections reports it.
     *
     * @param systemId PostgreSQL's system identifier, which a primary and its standbys share; 0 if it is unknown
     * @param timeline number that each promotion raises; 0 if it is unknown
     * @param started start time of the server in epoch seconds, as text
     */
    record Server(long systemId, long timeline, String started) {
        /**
         * Returns whether this server has the same system identifier as the other and a lower timeline. Servers with
         * different system identifiers are not ordered.
         */
        boolean isOlderThan(Server other) {
            return systemId == other.systemId && timeline < other.timeline;
        }
    }

    /**
     * Opens a connection every five seconds, unless the previous attempt is still running, and closes it. Without these
     * connections, a process whose pools open no new connection would not notice that the database's address leads to
     * another server. Only the first call starts the timer, for all pools.
     *
     * @param connect opens a connection that passes through {@link ConnectionAdmission}
     */
    void watch(Vertx vertx, Function<Context, Future<SqlConnection>> connect) {
        if (isWatched.compareAndSet(false, true)) {
            var isConnecting = new AtomicBoolean();
            vertx.setPeriodic(CHECK_INTERVAL.toMillis(), tick -> {
                if (isConnecting.compareAndSet(false, true)) {
                    connect.apply(vertx.getOrCreateContext())
                            .onSuccess(SqlConnection::close)
                            .onComplete(result -> isConnecting.set(false));
                }
            });
        }
    }

    /** Returns whether no connection has been admitted yet. */
    synchronized boolean isUnknown() {
        return current == null;
    }

    /**
     * Registers a connection, or refuses it if its server is older than the current primary. If the server is another
     * one or was restarted, it becomes the current primary, and all earlier connections are closed.
     *
     * @return the reason of the refusal, as the end of a message that begins with "the database"; null if the
     *         connection is admitted
     */
    synchronized @Nullable String admit(Server server, ChannelHandlerContext connection) {
        if (current != null && server.isOlderThan(current)) {
            return ("is an old primary (timeline %d, timeline %d was seen): check where BERTH_DATABASE_URL leads,"
                    + " and restart Berth if this is a restored backup")
                    .formatted(server.timeline(), current.timeline());
        }
        if (current != null && !server.equals(current)) {
            closeOldConnections(current, server);
        }
        current = server;
        connections.add(connection);
        connection.channel().closeFuture().addListener(closed -> connections.remove(connection));
        return null;
    }

    private void closeOldConnections(Server old, Server server) {
        int openCount = connections.size();
        connections.forEach(ChannelHandlerContext::close);
        if (openCount > 0) {
            LOG.errorf(
                    "the database is another primary now (timeline %d after %d), and connections to the old one were"
                            + " still open: they are closed now; configure the proxy to close sessions at a failover"
                            + " connections=%d",
                    server.timeline(), old.timeline(), openCount);
        } else {
            LOG.infof("the database is another primary now, or was restarted timeline=%d before=%d",
                    server.timeline(), old.timeline());
        }
    }
}
