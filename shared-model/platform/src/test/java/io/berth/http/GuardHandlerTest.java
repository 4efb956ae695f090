package io.berth.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.quarkus.runtime.configuration.MemorySize;
import java.math.BigInteger;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the time limit of a body, with a clock that stands still. */
class GuardHandlerTest {
    private static final MemorySize LARGE = new MemorySize(BigInteger.valueOf(1_000_000));

    private final SharedGuardState guard = new SharedGuardState(1_000_000_000);
    private EmbeddedChannel channel;

    @BeforeEach
    void tenSecondsForABody() {
        guard.configure(null, null, new BodyLimits(LARGE, LARGE, Duration.ofSeconds(10)));
        channel = new EmbeddedChannel(new GuardHandler(guard));
        channel.freezeTime();
        var request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
        request.headers().set("host", "berth").set("content-length", 2);
        channel.writeInbound(request);
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private void pass(int seconds) {
        for (int second = 0; second < seconds; second++) {
            channel.advanceTimeBy(1, TimeUnit.SECONDS);
            channel.runScheduledPendingTasks();
        }
    }

    private void setReading(boolean reads) {
        channel.config().setAutoRead(reads);
    }

    private void sendOneByte() {
        channel.writeInbound(new DefaultHttpContent(Unpooled.wrappedBuffer(new byte[1])));
    }

    @Test
    void closesTheConnectionIfTheBodyIsLate() {
        pass(9);
        sendOneByte();
        assertThat(channel.isOpen()).isTrue();
        pass(1);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void doesNotCountTimeInWhichTheServiceDoesNotRead() {
        pass(4);
        setReading(false);
        sendOneByte();
        pass(14);
        setReading(true);
        pass(5);
        assertThat(channel.isOpen()).isTrue();
        pass(1);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void aCompleteBodyIsNeverLate() {
        setReading(false);
        sendOneByte();
        setReading(true);
        channel.writeInbound(new DefaultLastHttpContent(Unpooled.wrappedBuffer(new byte[1])));
        pass(60);
        assertThat(channel.isOpen()).isTrue();
    }
}
