package io.berth.placement.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.quarkus.StaticInitInjections;
import io.quarkus.arc.runtime.ConfigStaticInitValues;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks that no setting of an operator is injected before the service starts. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class StaticInitIT {
    @Inject
    Recorded recorded;

    @Test
    void injectsNoOperatorSettingBeforeTheStart() {
        assertThat(recorded.injections).isEmpty();
    }

    @Singleton
    static class Recorded {
        List<String> injections;

        void read(@Observes @Priority(Integer.MIN_VALUE) StartupEvent starting, ConfigStaticInitValues recorded)
                throws ReflectiveOperationException {
            injections = StaticInitInjections.describe(recorded);
        }
    }
}
