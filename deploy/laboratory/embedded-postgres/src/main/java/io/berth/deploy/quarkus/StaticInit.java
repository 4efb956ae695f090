package io.berth.deploy.quarkus;

import io.quarkus.arc.runtime.ConfigStaticInitValues;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds configuration values that are injected at static initialization. In a native executable they are injected while
 * it is built, and Quarkus refuses to start the executable if a value differs at run time. Quarkus records such
 * injections in JVM builds too, so a test can require that there are none, in Berth's beans and in libraries.
 */
public final class StaticInit {
    private StaticInit() {}

    /**
     * Returns one line per injection: the option, and where it is injected.
     *
     * @param recorded Quarkus's record, before Quarkus has compared the values at start and cleared it
     */
    public static List<String> injections(ConfigStaticInitValues recorded) throws ReflectiveOperationException {
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
