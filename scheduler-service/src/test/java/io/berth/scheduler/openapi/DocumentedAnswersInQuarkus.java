package io.berth.scheduler.openapi;

import io.quarkus.test.junit.callback.QuarkusTestBeforeEachCallback;
import io.quarkus.test.junit.callback.QuarkusTestMethodContext;

/**
 * Switches {@link DocumentedResponses} on for tests with {@code @QuarkusTest}. The tests of processes do not use
 * Quarkus.
 */
public final class DocumentedAnswersInQuarkus implements QuarkusTestBeforeEachCallback {
    @Override
    public void beforeEach(QuarkusTestMethodContext context) {
        DocumentedResponses.compareAll();
    }
}
