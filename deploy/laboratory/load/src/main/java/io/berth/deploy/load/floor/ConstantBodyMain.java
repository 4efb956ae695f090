package io.berth.deploy.load.floor;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;

/**
 * A server on Vert.x, the HTTP server below Quarkus, that responds to every request with the same body. Argument: the
 * size of the body in bytes. Listens on a free loopback port and prints {@code port N}. Has two event loops per
 * processor, as Quarkus has. Ends when standard input is closed.
 */
public final class ConstantBodyMain {
    private ConstantBodyMain() {}

    public static void main(String[] args) throws IOException {
        byte[] body = new byte[Integer.parseInt(args[0])];
        Arrays.fill(body, (byte) ' ');
        CompletableFuture<Integer> port = new CompletableFuture<>();
        Vertx vertx = Vertx.vertx();
        int eventLoops = 2 * Runtime.getRuntime().availableProcessors();
        vertx.deployVerticle(() -> new Server(body, port), new DeploymentOptions().setInstances(eventLoops))
                .toCompletionStage().toCompletableFuture().exceptionally(failure -> {
                    failure.printStackTrace();
                    System.exit(1);
                    return null;
                }).join();
        System.out.println("port " + port.join());
        while (System.in.read() >= 0) {
            // Waits for the parent process to end, which closes standard input.
        }
        System.exit(0);
    }

    /** The instance of the server on one event loop; all instances share the port. */
    private static final class Server extends AbstractVerticle {
        /** With a negative port, Vert.x listens on a free port that all instances of a deployment share. */
        private static final int SHARED_FREE_PORT = -1;

        private final Buffer body;
        private final CompletableFuture<Integer> port;

        Server(byte[] body, CompletableFuture<Integer> port) {
            this.body = Buffer.buffer(body);
            this.port = port;
        }

        @Override
        public void start(Promise<Void> started) {
            var options = new HttpServerOptions().setHost("127.0.0.1").setPort(SHARED_FREE_PORT);
            vertx.createHttpServer(options)
                    .requestHandler(request -> request.response()
                            .putHeader("content-type", "application/json")
                            .putHeader("openstack-api-version", "placement 1.39")
                            .end(body))
                    .listen()
                    .onSuccess(server -> port.complete(server.actualPort()))
                    .<Void>mapEmpty()
                    .onComplete(started);
        }
    }
}
