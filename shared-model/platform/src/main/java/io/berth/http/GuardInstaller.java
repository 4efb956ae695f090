package io.berth.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.vertx.core.http.HttpServerOptions;

/**
 * Adds the connection guard's handlers to the Netty pipeline of a connection, before the first byte of a request is
 * read. The installer needs the handlers of Vert.x, which exist once the connection is active, or with TLS once the
 * handshake is complete. After the installation, the installer removes itself.
 */
final class GuardInstaller extends ChannelInboundHandlerAdapter {
    // Names that Vert.x gives its handlers.
    private static final String DECODER = "httpDecoder";
    private static final String HANDSHAKER = "handshaker";
    private static final String REQUEST_HANDLER = "handler";

    private final SharedGuardState guard;

    GuardInstaller(SharedGuardState guard) {
        this.guard = guard;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        ChannelPipeline pipeline = ctx.pipeline();
        if (pipeline.get(HANDSHAKER) != null) {
            // With TLS, a new installer waits between the TLS handler, which reports the end of the handshake, and the
            // handshaker, which does not pass this event on.
            pipeline.remove(this);
            pipeline.addBefore(HANDSHAKER, null, new GuardInstaller(guard));
        } else {
            install(pipeline);
        }
        ctx.fireChannelActive();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        // Passes the event on first, so that the handshaker adds the handlers that install() needs.
        ctx.fireUserEventTriggered(event);
        if (event instanceof SslHandshakeCompletionEvent completion && completion.isSuccess()) {
            install(ctx.pipeline());
        }
    }

    private void install(ChannelPipeline pipeline) {
        HttpServerOptions limits = guard.decoderOptions();
        // Installs nothing before the server has its limits, or on a connection without the decoder of HTTP/1.
        if (limits != null && pipeline.get(DECODER) != null) {
            PipelinedRequests requests = new PipelinedRequests(guard.waiting());
            UnfinishedHead head = new UnfinishedHead(guard, requests::isBusy);
            pipeline.replace(DECODER, DECODER, new StrictRequestDecoder(limits, head));
            pipeline.addFirst(new StalledResponses());
            pipeline.addBefore(REQUEST_HANDLER, null, requests);
            pipeline.addBefore(REQUEST_HANDLER, null, new GuardHandler(guard));
        }
        pipeline.remove(this);
    }
}
