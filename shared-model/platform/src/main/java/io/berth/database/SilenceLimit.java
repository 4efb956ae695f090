package io.berth.database;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.impl.SocketConnectionBase;
import io.vertx.sqlclient.impl.SqlConnectionInternal;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Closes a connection to PostgreSQL on which nothing has arrived for a given time. The read timeout of the Vert.x
 * client does not suffice, because the client then sends a termination message, and waits for the silent server to
 * close the connection. This handler is first in the Netty pipeline, and closes the socket itself.
 */
final class SilenceLimit extends IdleStateHandler {
    private SilenceLimit(Duration silenceMax) {
        super(silenceMax.toMillis(), 0, 0, TimeUnit.MILLISECONDS);
    }

    /** Adds a handler with this limit to the connection. Must run on the connection's event loop. */
    static void install(SqlConnection connection, Duration silenceMax) {
        nettyContext(connection).pipeline().addFirst(new SilenceLimit(silenceMax));
    }

    /** Closes the socket without a termination message. */
    static void closeSocket(SqlConnection connection) {
        nettyContext(connection).close();
    }

    /** Returns the Netty context of a connection that is not yet in a pool. */
    static ChannelHandlerContext nettyContext(SqlConnection connection) {
        var client = (SocketConnectionBase) ((SqlConnectionInternal) connection).unwrap();
        return client.socket().channelHandlerContext();
    }

    @Override
    protected void channelIdle(ChannelHandlerContext context, IdleStateEvent silence) {
        context.close();
    }
}
