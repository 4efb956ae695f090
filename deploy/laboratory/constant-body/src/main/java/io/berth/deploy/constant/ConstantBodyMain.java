package io.berth.deploy.constant;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.quarkus.vertx.http.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Runs the server, and prints {@code port N} when it listens. The process ends on SIGTERM, and when its standard input
 * is closed, so that it never outlives the load generator that started it.
 */
@QuarkusMain
public final class ConstantBodyMain implements QuarkusApplication {
    private final HttpServer server;

    ConstantBodyMain(HttpServer server) {
        this.server = server;
    }

    @Override
    public int run(String... args) {
        System.out.println("port " + server.getPort());
        Thread.ofPlatform().daemon().name("standard-input").start(ConstantBodyMain::endWithStandardInput);
        Quarkus.waitForExit();
        return 0;
    }

    private static void endWithStandardInput() {
        try {
            while (System.in.read() >= 0) {
                // The parent process is still running.
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            Quarkus.asyncExit(0);
        }
    }
}
