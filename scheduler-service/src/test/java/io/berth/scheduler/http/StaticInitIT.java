package io.berth.scheduler.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.arc.runtime.ConfigStaticInitValues;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What is made at static initialisation is made while a native executable is built: a value injected there is the
 * build's, and Quarkus stops every start of the executable with another one. It records these injections in every kind
 * of build. There must be none, be it of our beans or of a library's.
 */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class StaticInitIT {
    @Inject
    Recorded recorded;

    @Test
    void nothingThatAnOperatorCanSetIsInjectedBeforeTheStart() {
        assertThat(recorded.injections).isEmpty();
    }

    @Singleton
    static class Recorded {
        final List<String> injections = new ArrayList<>();

        /** Before Quarkus has compared the values and forgotten them. */
        void read(@Observes @Priority(Integer.MIN_VALUE) StartupEvent starting, ConfigStaticInitValues recorded)
                throws ReflectiveOperationException {
            for (Object injected : (List<?>) field(recorded, "injectedValues")) {
                injections.add(field(injected, "name") + " into " + field(injected, "injectionPointInfo"));
            }
        }

        private static Object field(Object owner, String name) throws ReflectiveOperationException {
            Field field = owner.getClass().getDeclaredField(name);
            field.setAccessible(true);
            return field.get(owner);
        }
    }
}
