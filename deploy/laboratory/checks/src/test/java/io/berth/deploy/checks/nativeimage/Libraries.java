package io.berth.deploy.checks.nativeimage;

import java.util.List;
import java.util.stream.Stream;

/**
 * Libraries that are known to work in native images of Quarkus applications. Jars are named GROUP.ARTIFACT-VERSION.
 * Review any other library before you add it: what it loads by name, and what it keeps in static fields.
 */
final class Libraries {
    /** Quarkus, the libraries that its extensions bring and register, and interfaces without behavior. */
    private static final List<String> OF_QUARKUS = List.of(
            "io.quarkus.", "io.smallrye.", "io.vertx.", "io.netty.", "io.agroal.", "io.opentelemetry.",
            "io.micrometer.", "io.prometheus.", "io.berth.", "jakarta.", "org.eclipse.microprofile.",
            "org.eclipse.parsson.", "org.eclipse.angus.", "org.hibernate.", "org.jboss.", "org.wildfly.",
            "org.postgresql.", "org.flywaydb.", "com.fasterxml.", "com.ongres.", "com.github.ben-manes.caffeine.",
            "net.bytebuddy.", "org.antlr.", "org.jctools.", "org.jspecify.", "org.reactivestreams.", "org.slf4j.",
            "org.crac.", "org.glassfish.",
            "com.sun.istack.", "org.yaml.snakeyaml", "com.google.errorprone.", "org.bitbucket.b_c.jose4j",
            "com.aayushatharva.brotli4j.", "com.squareup.", "org.jetbrains.",
            "org.hdrhistogram.", "org.latencyutils.");
    /**
     * Libraries for telemetry: gRPC and its dependencies come with Quarkus' OpenTelemetry, and the extension
     * grpc-common registers them.
     */
    private static final List<String> OF_GRPC = List.of(
            "com.google.api.grpc.", "com.google.code.gson.", "com.google.guava.", "com.google.j2objc.",
            "com.google.protobuf.", "io.grpc.", "io.perfmark.");
    /**
     * The schema validator. Its own native-image configuration keeps its files, and Berth's configuration keeps its
     * bundle.
     */
    private static final List<String> VALIDATOR = List.of("com.networknt.json-schema-validator", "com.ethlo.time.itu");
    /**
     * The client for nova's RabbitMQ. It uses reflection only for JSON-RPC, which Berth does not use, and its one file
     * is kept. A static field holds the number of processors of the build machine, which limits the threads that
     * process deliveries.
     */
    private static final List<String> RABBITMQ = List.of("com.rabbitmq.amqp-client");
    /** The page's libraries, which are scripts for the browser without classes. */
    private static final List<String> PAGE = List.of("org.webjars.npm.preact");

    private Libraries() {}

    static boolean isKnown(String library) {
        return Stream.of(OF_QUARKUS, OF_GRPC, VALIDATOR, RABBITMQ, PAGE).flatMap(List::stream)
                .anyMatch(library::startsWith);
    }
}
