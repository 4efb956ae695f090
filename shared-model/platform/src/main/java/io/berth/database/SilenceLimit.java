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
 * Closes a connection to PostgreSQL on which nothing has come for so long. The client's own read timeout will not do:
 * it says goodbye, and then waits for the silent server to close. This one stands before all else, so that what it
 * closes is the socket.
 */
final class SilenceLimit extends IdleStateHandler {
    private SilenceLimit(Duration silenceMax) {
        super(silenceMax.toMillis(), 0, 0, TimeUnit.MILLISECONDS);
    }

    /** On the connection's event loop. */
    static void put(SqlConnection connection, Duration silenceMax) {
        socket(connection).pipeline().addFirst(new SilenceLimit(silenceMax));
    }

    /** Without a goodbye. */
    static void closeSocket(SqlConnection connection) {
        socket(connection).close();
    }

    /** Of a connection that is in no pool yet. */
    static ChannelHandlerContext socket(SqlConnection connection) {
        var client = (SocketConnectionBase) ((SqlConnectionInternal) connection).unwrap();
        return client.socket().channelHandlerContext();
    }

    @Override
    protected void channelIdle(ChannelHandlerContext context, IdleStateEvent silence) {
        context.close();
    }
}
