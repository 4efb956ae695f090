package io.berth.deploy.postgres;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/**
 * A proxy on loopback for connections to a PostgreSQL server. The proxy removes some parameters from the startup
 * message of a session, as PgBouncer does with {@code ignore_startup_parameters}. Clients must connect without TLS,
 * because the proxy reads this message. It uses one virtual thread for each direction of a connection.
 */
public final class ParameterDroppingProxy implements AutoCloseable {
    private static final int BACKLOG = 100;
    /** The number of bytes before the parameters of a startup message: its length and the protocol version. */
    private static final int HEAD_BYTES = 8;

    private final ServerSocket server;
    private final int targetPort;
    private final Set<String> droppedParameters;

    private ParameterDroppingProxy(ServerSocket server, int targetPort, Set<String> droppedParameters) {
        this.server = server;
        this.targetPort = targetPort;
        this.droppedParameters = droppedParameters;
    }

    /**
     * Starts a proxy on a free port.
     *
     * @param port the port of PostgreSQL on loopback
     * @param droppedParameters the names of the startup parameters to remove
     */
    public static ParameterDroppingProxy inFrontOf(int port, Set<String> droppedParameters) {
        try {
            var pooler = new ParameterDroppingProxy(
                    new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress()), port,
                    Set.copyOf(droppedParameters));
            Thread.ofVirtual().start(pooler::accept);
            return pooler;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                Thread.ofVirtual().start(() -> connect(client));
            } catch (IOException e) {
                // The loop ends when the server socket is closed.
            }
        }
    }

    /** Connects a client to the database, and forwards bytes until one of them closes the connection. */
    private void connect(Socket client) {
        try (client; Socket database = new Socket(InetAddress.getLoopbackAddress(), targetPort)) {
            forwardStartup(new DataInputStream(client.getInputStream()),
                    new DataOutputStream(database.getOutputStream()));
            Thread.ofVirtual().start(() -> forward(client, database));
            forward(database, client);
        } catch (IOException e) {
            // Both sockets are closed here, which also ends the thread of the other direction.
        }
    }

    /**
     * Forwards the startup message without the dropped parameters. The message is its length, the protocol version,
     * pairs of a name and a value that each end with a zero byte, and a final zero byte.
     */
    private void forwardStartup(DataInputStream from, DataOutputStream to) throws IOException {
        int length = from.readInt();
        int version = from.readInt();
        String pairs = new String(from.readNBytes(length - HEAD_BYTES), StandardCharsets.UTF_8);
        List<String> texts = Arrays.asList(pairs.split("\0"));
        var keptPairs = new ByteArrayOutputStream();
        for (Iterator<String> parts = texts.iterator(); parts.hasNext();) {
            String name = parts.next();
            String value = parts.hasNext() ? parts.next() : "";
            if (!droppedParameters.contains(name)) {
                keptPairs.writeBytes((name + "\0" + value + "\0").getBytes(StandardCharsets.UTF_8));
            }
        }
        keptPairs.write(0);
        to.writeInt(keptPairs.size() + HEAD_BYTES);
        to.writeInt(version);
        keptPairs.writeTo(to);
        to.flush();
    }

    private static void forward(Socket from, Socket to) {
        try (InputStream in = from.getInputStream(); OutputStream out = to.getOutputStream()) {
            in.transferTo(out);
        } catch (IOException e) {
            // Closing the two streams has closed both sockets.
        }
    }

    /** Stops accepting connections. Connections that exist stay open. */
    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
