package io.berth.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.timeout.IdleStateEvent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests when the idle timeout of a connection takes effect. Vert.x closes the connection if it gets the event. */
class PipelinedRequestsTest {
    private final List<Object> idleEvents = new ArrayList<>();
    private final EmbeddedChannel channel =
            new EmbeddedChannel(new PipelinedRequests(new ByteBudget(1_000_000)), new ChannelInboundHandlerAdapter() {
                @Override
                public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
                    idleEvents.add(event);
                }
            });

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private void request() {
        channel.writeInbound(new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/"));
    }

    private void respond() {
        channel.writeOutbound(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
        channel.runPendingTasks();
    }

    private boolean isClosedWhenIdle() {
        idleEvents.clear();
        channel.pipeline().fireUserEventTriggered(IdleStateEvent.ALL_IDLE_STATE_EVENT);
        return !idleEvents.isEmpty();
    }

    @Test
    void closesAnIdleConnectionOnlyWithoutARequestInFlight() {
        assertThat(isClosedWhenIdle()).isTrue();
        request();
        assertThat(isClosedWhenIdle()).isFalse();
        request();
        respond();
        assertThat(isClosedWhenIdle()).as("while the pipelined request is in flight").isFalse();
        respond();
        assertThat(isClosedWhenIdle()).isTrue();
    }
}
