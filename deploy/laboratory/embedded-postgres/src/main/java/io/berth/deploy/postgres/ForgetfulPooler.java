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
 * A proxy on loopback for connections to a PostgreSQL. It removes some parameters from the startup message of a
 * session, as PgBouncer does with {@code ignore_startup_parameters}. For clients without TLS. Uses one virtual thread
 * per direction of a connection.
 */
public final class ForgetfulPooler implements AutoCloseable {
    private static final int BACKLOG = 100;
    /** The first bytes of a startup message: its length and the protocol version, four bytes each. */
    private static final int HEAD_BYTES = 8;

    private final ServerSocket server;
    private final int target;
    private final Set<String> dropped;

    private ForgetfulPooler(ServerSocket server, int target, Set<String> dropped) {
        this.server = server;
        this.target = target;
        this.dropped = dropped;
    }

    /**
     * Starts a proxy on a free port.
     *
     * @param port the port of PostgreSQL on loopback
     * @param dropped the names of the startup parameters to remove
     */
    public static ForgetfulPooler inFrontOf(int port, Set<String> dropped) {
        try {
            var pooler = new ForgetfulPooler(
                    new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress()), port, Set.copyOf(dropped));
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
                Socket near = server.accept();
                Thread.ofVirtual().start(() -> link(near));
            } catch (IOException closed) {
                // The loop ends when the server socket is closed.
            }
        }
    }

    private void link(Socket near) {
        try (near; Socket far = new Socket(InetAddress.getLoopbackAddress(), target)) {
            open(new DataInputStream(near.getInputStream()), new DataOutputStream(far.getOutputStream()));
            Thread.ofVirtual().start(() -> carry(near, far));
            carry(far, near);
        } catch (IOException lost) {
            // Closing ends both directions.
        }
    }

    /**
     * Forwards the startup message without the dropped parameters. The message is its length, the protocol version,
     * pairs of a name and a value that each end with a zero byte, and a final zero byte.
     */
    private void open(DataInputStream from, DataOutputStream to) throws IOException {
        int length = from.readInt();
        int version = from.readInt();
        String pairs = new String(from.readNBytes(length - HEAD_BYTES), StandardCharsets.UTF_8);
        List<String> texts = Arrays.asList(pairs.split("\0"));
        var kept = new ByteArrayOutputStream();
        for (Iterator<String> each = texts.iterator(); each.hasNext();) {
            String name = each.next();
            String value = each.hasNext() ? each.next() : "";
            if (!dropped.contains(name)) {
                kept.writeBytes((name + "\0" + value + "\0").getBytes(StandardCharsets.UTF_8));
            }
        }
        kept.write(0);
        to.writeInt(kept.size() + HEAD_BYTES);
        to.writeInt(version);
        kept.writeTo(to);
        to.flush();
    }

    private static void carry(Socket from, Socket to) {
        try (InputStream in = from.getInputStream(); OutputStream out = to.getOutputStream()) {
            in.transferTo(out);
        } catch (IOException lost) {
            // Closing the two streams has closed both sockets.
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
