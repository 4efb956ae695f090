package io.berth.placement.http;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.HttpMethod;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jboss.resteasy.reactive.server.Cancellable;
import org.junit.jupiter.api.Test;

/**
 * What writes runs to its end whoever leaves. Quarkus REST gives up a request whose connection closes, in the middle,
 * unless the route says otherwise.
 */
class WritingRoutesTest {

    @Test
    void noneIsGivenUpBecauseItsClientLeaves() throws Exception {
        List<String> writing = new ArrayList<>();
        List<String> givenUp = new ArrayList<>();
        for (Class<?> type : endpoints()) {
            for (Method method : type.getDeclaredMethods()) {
                if (writes(method)) {
                    String name = type.getSimpleName() + "." + method.getName();
                    writing.add(name);
                    Cancellable cancellable = method.getAnnotation(Cancellable.class);
                    if (cancellable == null || cancellable.value()) {
                        givenUp.add(name);
                    }
                }
            }
        }
        assertThat(writing).hasSizeGreaterThan(15);
        assertThat(givenUp).isEmpty();
    }

    private static boolean writes(Method method) {
        return Stream.of(method.getAnnotations())
                .map(each -> each.annotationType())
                .anyMatch(type -> type.isAnnotationPresent(HttpMethod.class) && type != GET.class);
    }

    private static List<Class<?>> endpoints() throws IOException, URISyntaxException {
        Path classes = Path.of(ProtocolFilter.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        List<Class<?>> types = new ArrayList<>();
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(each -> each.toString().endsWith("Endpoint.class")).toList()) {
                String name = classes.relativize(file).toString();
                types.add(load(name.substring(0, name.length() - ".class".length()).replace('/', '.')));
            }
        }
        return types;
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, WritingRoutesTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
