package io.berth.deploy.quarkus;

import io.quarkus.arc.runtime.ConfigStaticInitValues;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds values that are injected at static initialization. A native executable does that while it is built: the value
 * is the build's, and Quarkus stops every start of the executable with another one. It records these injections in
 * every kind of build. There must be none, neither of our beans nor of a library's.
 */
public final class StaticInit {
    private StaticInit() {}

    /** @param recorded before Quarkus has compared the values and forgotten them */
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
