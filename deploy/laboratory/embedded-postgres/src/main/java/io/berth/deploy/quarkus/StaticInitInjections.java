package io.berth.deploy.quarkus;

import io.quarkus.arc.runtime.ConfigStaticInitValues;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds configuration values that are injected at static initialization. Static initialization of a native executable
 * happens at build time, and Quarkus refuses to start the executable if such a value differs at run time. Quarkus
 * records these injections in JVM builds too, so that a test can require that there are none, in Berth's beans and in
 * libraries.
 */
public final class StaticInitInjections {
    private StaticInitInjections() {}

    /**
     * Returns one line for each injection: the option, and where the option is injected.
     *
     * @param recorded Quarkus's record of the injections. Quarkus clears the record during startup, once it has
     *         compared the values. Therefore read it in an observer of {@code StartupEvent} with the lowest value of
     *         {@code @Priority}
     */
    public static List<String> describe(ConfigStaticInitValues recorded) throws ReflectiveOperationException {
        List<String> injections = new ArrayList<>();
        for (Object injected : (List<?>) field(recorded, "injectedValues")) {
            injections.add(field(injected, "name") + " into " + field(injected, "injectionPointInfo"));
        }
        return injections;
    }

    private static Object field(Object owner, String name) throws ReflectiveOperationException {
        Field field = owner.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(owner);
    }
}
