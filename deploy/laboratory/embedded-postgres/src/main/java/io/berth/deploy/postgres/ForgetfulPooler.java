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
 * A proxy on loopback before a PostgreSQL, which drops some of the parameters that sessions are opened with, as
 * PgBouncer does with {@code ignore_startup_parameters}. For clients without TLS. One thread (virtual) per direction of
 * a connection.
 */
public final class ForgetfulPooler implements AutoCloseable {
    private static final int BACKLOG = 100;
    /** The bytes of the length and the protocol's version. */
    private static final int HEAD_BYTES = 8;

    private final ServerSocket server;
    private final int target;
    private final Set<String> dropped;

    private ForgetfulPooler(ServerSocket server, int target, Set<String> dropped) {
        this.server = server;
        this.target = target;
        this.dropped = dropped;
    }

    /** @param port of PostgreSQL */
    public static ForgetfulPooler before(int port, Set<String> dropped) {
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
                // The loop ends when the connection is closed.
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
     * Forwards the first message without the dropped parameters: its length, the protocol's version, and pairs of a
     * name and a value, each with a zero at its end.
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
            // Closed both, by closing one stream of each.
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
