package io.berth.deploy.quarkus;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.HttpMethod;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jboss.resteasy.reactive.server.Cancellable;

/**
 * The routes of a service with another HTTP method than GET, as {@code Endpoint.method}. They may write, although some
 * of them only read, such as a query with a body. Quarkus REST cancels a request whose connection is closed, unless the
 * method of the route has {@code @Cancellable(false)}. A write must not be canceled.
 *
 * @param all all routes that may write
 * @param cancellable the routes of {@code all} that Quarkus would cancel
 */
public record NonGetRoutes(List<String> all, List<String> cancellable) {

    /** Finds the routes in the classes of {@link #endpointClasses}. */
    public static NonGetRoutes ofThisService() throws IOException {
        var routes = new NonGetRoutes(new ArrayList<>(), new ArrayList<>());
        for (Class<?> type : endpointClasses()) {
            Stream.of(type.getDeclaredMethods()).filter(NonGetRoutes::mayWrite).forEach(method -> {
                String name = type.getSimpleName() + "." + method.getName();
                routes.all.add(name);
                Cancellable cancellable = method.getAnnotation(Cancellable.class);
                if (cancellable == null || cancellable.value()) {
                    routes.cancellable.add(name);
                }
            });
        }
        return routes;
    }

    private static boolean mayWrite(Method method) {
        return Stream.of(method.getAnnotations())
                .map(each -> each.annotationType())
                .anyMatch(type -> type.isAnnotationPresent(HttpMethod.class) && type != GET.class);
    }

    /**
     * Returns all classes named {@code *Endpoint} in the module of the working folder and in the modules directly below
     * that module.
     */
    public static List<Class<?>> endpointClasses() throws IOException {
        List<Class<?>> types = new ArrayList<>();
        for (Path classes : classFolders()) {
            try (Stream<Path> files = Files.walk(classes)) {
                for (Path file : files.filter(each -> each.toString().endsWith("Endpoint.class")).toList()) {
                    String name = classes.relativize(file).toString();
                    types.add(loadClass(name.substring(0, name.length() - ".class".length()).replace('/', '.')));
                }
            }
        }
        return types;
    }

    private static List<Path> classFolders() throws IOException {
        try (Stream<Path> modules = Files.list(Path.of(""))) {
            return Stream.concat(Stream.of(Path.of("")), modules)
                    .map(module -> module.resolve("target/classes"))
                    .filter(Files::isDirectory)
                    .toList();
        }
    }

    private static Class<?> loadClass(String name) {
        try {
            return Class.forName(name, false, Thread.currentThread().getContextClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
