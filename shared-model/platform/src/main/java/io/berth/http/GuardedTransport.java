package io.berth.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.vertx.core.impl.transports.JDKTransport;

/** The default transport of Vert.x, except that it adds a {@link GuardInstaller} to each accepted TCP connection. */
final class GuardedTransport extends JDKTransport {
    private final SharedGuardState guard;

    GuardedTransport(SharedGuardState guard) {
        this.guard = guard;
    }

    SharedGuardState guard() {
        return guard;
    }

    @Override
    public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
        if (domainSocket) {
            return super.serverChannelFactory(true);
        }
        return () -> {
            var serverChannel = new NioServerSocketChannel();
            serverChannel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
                @Override
                public void channelRead(ChannelHandlerContext ctx, Object accepted) {
                    ((Channel) accepted).pipeline().addLast(new GuardInstaller(guard));
                    ctx.fireChannelRead(accepted);
                }
            });
            return serverChannel;
        };
    }
}
