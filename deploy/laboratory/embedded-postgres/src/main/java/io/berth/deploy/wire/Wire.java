package io.berth.deploy.wire;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A TCP proxy on loopback that forwards connections to another port, and simulates network failures on command. Uses
 * one virtual thread per direction of a connection.
 */
public final class Wire implements AutoCloseable {
    private static final int BACKLOG = 2_000;
    private static final int CONNECT_MS_MAX = 2_000;

    private final ServerSocket server;
    private volatile InetSocketAddress target;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private final Object lock = new Object();
    private State state = State.PASSING;
    private Duration delay = Duration.ZERO;

    private enum State {
        PASSING,
        /** All bytes are held back, and forwarded when the state is PASSING again. */
        STALLED,
        /** Every connection is reset as soon as it is accepted. */
        CUT
    }

    private Wire(ServerSocket server, InetSocketAddress target) {
        this.server = server;
        this.target = target;
    }

    /** Starts a proxy on a free port, for the given port on loopback. */
    public static Wire to(int port) {
        try {
            var wire = new Wire(new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress()), onLoopback(port));
            Thread.ofVirtual().start(wire::accept);
            return wire;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static InetSocketAddress onLoopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** Forwards new connections to that port from now on. Existing connections stay where they are. */
    public void lead(int port) {
        target = onLoopback(port);
    }

    public int port() {
        return server.getLocalPort();
    }

    /** Forwards everything again, without delay. Connections that were {@linkplain #swallow swallowed} remain dead. */
    public void pass() {
        become(State.PASSING, Duration.ZERO);
    }

    /** Delays every chunk of up to 16 KB, in both directions, by this time. */
    public void delay(Duration each) {
        become(State.PASSING, each);
    }

    /** Holds back all bytes of all connections, existing and new, until {@link #pass}. */
    public void stall() {
        become(State.STALLED, Duration.ZERO);
    }

    /**
     * Behaves like a firewall that drops its state: existing connections never forward a byte again, and neither end is
     * notified. New connections are stalled until {@link #pass}.
     */
    public void swallow() {
        become(State.STALLED, Duration.ZERO);
        links.forEach(link -> link.isForgotten = true);
    }

    /** Resets all connections, and every new one. */
    public void cut() {
        become(State.CUT, Duration.ZERO);
        links.forEach(Link::reset);
    }

    private void become(State next, Duration each) {
        synchronized (lock) {
            state = next;
            delay = each;
            lock.notifyAll();
        }
    }

    /** Waits until the state is not STALLED; returns the delay before a chunk is forwarded. */
    private Duration awaitPassing() throws InterruptedException {
        synchronized (lock) {
            while (state == State.STALLED) {
                lock.wait();
            }
            return delay;
        }
    }

    private boolean isCut() {
        synchronized (lock) {
            return state == State.CUT;
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket near = server.accept();
                var link = new Link(near, new Socket());
                if (isCut()) {
                    link.reset();
                } else {
                    links.add(link);
                    Thread.ofVirtual().start(link::connect);
                }
            } catch (IOException e) {
                // The proxy was closed, or a client left before its connection was accepted.
            }
        }
    }

    private final class Link {
        private final Socket near;
        private final Socket far;
        private volatile boolean isForgotten;

        private Link(Socket near, Socket far) {
            this.near = near;
            this.far = far;
        }

        private void connect() {
            try {
                awaitPassing();
                far.connect(target, CONNECT_MS_MAX);
                near.setTcpNoDelay(true);
                far.setTcpNoDelay(true);
                Thread.ofVirtual().start(() -> carry(near, far));
                carry(far, near);
            } catch (IOException | InterruptedException e) {
                reset();
            }
        }

        private void carry(Socket from, Socket to) {
            byte[] piece = new byte[16 * 1024];
            try {
                InputStream in = from.getInputStream();
                for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
                    if (isForgotten) {
                        continue;
                    }
                    Duration each = awaitPassing();
                    if (each.isPositive()) {
                        Thread.sleep(each);
                    }
                    if (!isForgotten) {
                        to.getOutputStream().write(piece, 0, read);
                    }
                }
                if (!isForgotten) {
                    to.shutdownOutput();
                }
            } catch (IOException | InterruptedException e) {
                if (!isForgotten) {
                    reset();
                }
            }
            // A forgotten connection never notifies one end of the other's close.
            if (!isForgotten && near.isOutputShutdown() && far.isOutputShutdown()) {
                reset();
            }
        }

        private void reset() {
            links.remove(this);
            for (Socket socket : new Socket[] {near, far}) {
                close(socket);
            }
        }

        private static void close(Socket socket) {
            try {
                if (socket.isConnected() && !socket.isClosed()) {
                    socket.setSoLinger(true, 0);
                }
                socket.close();
            } catch (IOException alreadyGone) {
                // The socket is closed, as intended.
            }
        }
    }

    @Override
    public void close() {
        become(State.CUT, Duration.ZERO);
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        links.forEach(Link::reset);
    }
}
