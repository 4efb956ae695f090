package io.berth.deploy.checks.nativeimage;

import java.util.List;
import java.util.stream.Stream;

/**
 * Libraries that native images of Quarkus applications are made with. Jars are named GROUP.ARTIFACT-VERSION. One that
 * is not here has to be looked at (what does it load by name, what does it keep in static fields?) before it is added.
 */
final class Libraries {
    /** Quarkus, what its extensions bring and register themselves, and interfaces without behaviour. */
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
     * Telemetry's: gRPC and what it needs come with Quarkus' OpenTelemetry, whose extension grpc-common registers them.
     */
    private static final List<String> OF_GRPC = List.of(
            "com.google.api.grpc.", "com.google.code.gson.", "com.google.guava.", "com.google.j2objc.",
            "com.google.protobuf.", "io.grpc.", "io.perfmark.");
    /** Ours: the schema validator, whose files its own native-image configuration keeps and whose bundle ours does. */
    private static final List<String> VALIDATOR = List.of("com.networknt.json-schema-validator", "com.ethlo.time.itu");
    /**
     * For nova's RabbitMQ. What it does by reflection is its JSON-RPC, which we do not use, and its one file is kept.
     * In a static field it has the number of the builder's processors, by which it bounds the threads that take what is
     * delivered.
     */
    private static final List<String> RABBITMQ = List.of("com.rabbitmq.amqp-client");
    /** The page's libraries: scripts for the browser, without classes. */
    private static final List<String> PAGE = List.of("org.webjars.npm.preact");

    private Libraries() {}

    static boolean isKnown(String library) {
        return Stream.of(OF_QUARKUS, OF_GRPC, VALIDATOR, RABBITMQ, PAGE).flatMap(List::stream)
                .anyMatch(library::startsWith);
    }
}
