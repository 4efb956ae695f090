package io.berth.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.vertx.core.impl.transports.JDKTransport;

/** Vert.x' usual transport, but connections to the service go through its door. */
final class DoorTransport extends JDKTransport {
    private final Door door;

    DoorTransport(Door door) {
        this.door = door;
    }

    Door door() {
        return door;
    }

    @Override
    public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
        if (domainSocket) {
            return super.serverChannelFactory(true);
        }
        return () -> {
            var listening = new NioServerSocketChannel();
            listening.pipeline().addLast(new ChannelInboundHandlerAdapter() {
                @Override
                public void channelRead(ChannelHandlerContext ctx, Object accepted) {
                    ((Channel) accepted).pipeline().addLast(new DoorInstaller(door));
                    ctx.fireChannelRead(accepted);
                }
            });
            return listening;
        };
    }
}
