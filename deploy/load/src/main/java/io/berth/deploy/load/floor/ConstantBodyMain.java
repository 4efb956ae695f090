package io.berth.deploy.load.floor;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;

/**
 * Answers every request with the same body, on a free loopback port, which it prints. Argument: bytes of the body.
 * The HTTP server is the one below Quarkus, with as many event loops. Ends when its standard input does.
 */
public final class ConstantBodyMain {
    private ConstantBodyMain() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        byte[] body = new byte[Integer.parseInt(args[0])];
        java.util.Arrays.fill(body, (byte) ' ');
        Vertx vertx = Vertx.vertx();
        int eventLoops = 2 * Runtime.getRuntime().availableProcessors();
        var first = new Server(body, 0);
        vertx.deployVerticle(first).toCompletionStage().toCompletableFuture().join();
        vertx.deployVerticle(() -> new Server(body, first.port), new DeploymentOptions().setInstances(eventLoops - 1))
                .toCompletionStage().toCompletableFuture().join();
        System.out.println("port " + first.port);
        while (System.in.read() >= 0) {
            // The parent lives.
        }
        System.exit(0);
    }

    /** One event loop's share of the server. */
    private static final class Server extends AbstractVerticle {
        private final Buffer body;
        private int port;

        Server(byte[] body, int port) {
            this.body = Buffer.buffer(body);
            this.port = port;
        }

        @Override
        public void start(Promise<Void> started) {
            var options = new HttpServerOptions().setHost("127.0.0.1").setPort(port);
            vertx.createHttpServer(options)
                    .requestHandler(request -> request.response()
                            .putHeader("content-type", "application/json")
                            .putHeader("openstack-api-version", "placement 1.39")
                            .end(body))
                    .listen()
                    .onSuccess(server -> port = server.actualPort())
                    .<Void>mapEmpty()
                    .onComplete(started);
        }
    }
}
