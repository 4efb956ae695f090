package io.berth.deploy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Api;
import io.berth.deploy.process.Await;

/** Polls a service's readiness. */
final class Lamp implements AutoCloseable {
    private static final long EVERY_MS = 100;

    private final Thread thread;
    private volatile boolean ended;
    private volatile boolean wasRed;
    private volatile boolean isGreen;

    Lamp(Api service) {
        thread = Thread.ofVirtual().start(() -> {
            while (!ended) {
                isGreen = service.isReady();
                wasRed |= !isGreen;
                Await.pause(EVERY_MS);
            }
        });
    }

    void checkRedAndGreenAgain() {
        Await.eventually("readiness is green again", () -> isGreen);
        assertThat(wasRed).as("readiness was red").isTrue();
    }

    void awaitRed() {
        Await.eventually("readiness is red", () -> wasRed);
    }

    @Override
    public void close() {
        ended = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
