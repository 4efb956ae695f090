package io.berth.deploy.quarkus;

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

/**
 * The routes of a service that write, as {@code Endpoint.method}. A write must run to its end even if the client
 * leaves: Quarkus REST cancels a request whose connection closes, unless the route declares otherwise.
 *
 * @param all every one
 * @param givenUp those that do not declare otherwise
 */
public record WritingRoutes(List<String> all, List<String> givenUp) {

    /** @param any class of the service; its endpoints are found beside it by their names */
    public static WritingRoutes of(Class<?> any) throws IOException, URISyntaxException, ClassNotFoundException {
        var routes = new WritingRoutes(new ArrayList<>(), new ArrayList<>());
        for (Class<?> type : endpoints(any)) {
            Stream.of(type.getDeclaredMethods()).filter(WritingRoutes::writes).forEach(method -> {
                String name = type.getSimpleName() + "." + method.getName();
                routes.all.add(name);
                Cancellable cancellable = method.getAnnotation(Cancellable.class);
                if (cancellable == null || cancellable.value()) {
                    routes.givenUp.add(name);
                }
            });
        }
        return routes;
    }

    private static boolean writes(Method method) {
        return Stream.of(method.getAnnotations())
                .map(each -> each.annotationType())
                .anyMatch(type -> type.isAnnotationPresent(HttpMethod.class) && type != GET.class);
    }

    private static List<Class<?>> endpoints(Class<?> any)
            throws IOException, URISyntaxException, ClassNotFoundException {
        Path classes = Path.of(any.getProtectionDomain().getCodeSource().getLocation().toURI());
        List<Class<?>> types = new ArrayList<>();
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(each -> each.toString().endsWith("Endpoint.class")).toList()) {
                String name = classes.relativize(file).toString();
                name = name.substring(0, name.length() - ".class".length()).replace('/', '.');
                types.add(Class.forName(name, false, any.getClassLoader()));
            }
        }
        return types;
    }
}
