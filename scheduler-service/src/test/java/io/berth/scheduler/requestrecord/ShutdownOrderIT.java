package io.berth.scheduler.requestrecord;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.inject.Inject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the order in which parts of the service stop. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class ShutdownOrderIT {
    @Inject
    BeanManager beans;

    @Test
    void stopsListenersBeforeRecordsAreWrittenAndTimersLast() {
        List<String> observers = beans.resolveObserverMethods(new ShutdownEvent()).stream()
                .map(observer -> observer.getBeanClass().getSimpleName())
                .toList();
        assertThat(observers).containsSubsequence("NovaListener", "DecisionRecords")
                .containsSubsequence("NovaListener", "Completions");
        assertThat(observers).last().isEqualTo("Recurring");
    }
}
