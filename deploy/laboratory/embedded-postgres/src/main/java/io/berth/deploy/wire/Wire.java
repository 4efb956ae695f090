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
 * A TCP proxy on loopback that forwards connections to another port, and simulates network failures when a test
 * requests them. Each call of {@link #pass}, {@link #delay}, {@link #stall}, {@link #swallow} or {@link #cut} replaces
 * the effect of the call before, except that swallowed connections stay swallowed. Uses one virtual thread for each
 * direction of a connection.
 */
public final class Wire implements AutoCloseable {
    private static final int BACKLOG = 2_000;
    private static final int CONNECT_TIMEOUT_MS = 2_000;

    private final ServerSocket server;
    private volatile InetSocketAddress target;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private final Object lock = new Object();
    private State state = State.PASSING;
    private Duration delay = Duration.ZERO;

    private enum State {
        PASSING,
        /** All bytes are held back. They are forwarded once the state is PASSING again. */
        STALLED,
        /** Each connection is reset as soon as it is accepted. */
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

    /** Forwards new connections to this port from now on. Connections that are already forwarded keep their port. */
    public void forwardTo(int port) {
        target = onLoopback(port);
    }

    public int port() {
        return server.getLocalPort();
    }

    /** Forwards all bytes again, without delay, except those of {@linkplain #swallow swallowed} connections. */
    public void pass() {
        changeState(State.PASSING, Duration.ZERO);
    }

    /** Forwards like {@link #pass}, but delays each chunk of up to 16 KB, in both directions. */
    public void delay(Duration chunkDelay) {
        changeState(State.PASSING, chunkDelay);
    }

    /** Holds back all bytes of all connections, existing and new. {@link #pass} forwards the bytes that were held. */
    public void stall() {
        changeState(State.STALLED, Duration.ZERO);
    }

    /**
     * Behaves like a firewall that loses its state: no byte of an existing connection is ever forwarded again, and
     * neither end is notified. New connections are stalled, as by {@link #stall}.
     */
    public void swallow() {
        changeState(State.STALLED, Duration.ZERO);
        links.forEach(link -> link.isSwallowed = true);
    }

    /** Resets all connections, and each new connection as soon as it is accepted. */
    public void cut() {
        changeState(State.CUT, Duration.ZERO);
        links.forEach(Link::reset);
    }

    private void changeState(State newState, Duration chunkDelay) {
        synchronized (lock) {
            state = newState;
            delay = chunkDelay;
            lock.notifyAll();
        }
    }

    /** Waits until the state is not STALLED. Returns the delay before the next chunk is forwarded. */
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
                Socket clientSocket = server.accept();
                var link = new Link(clientSocket, new Socket());
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

    /** One connection of a client, with the connection to the target. */
    private final class Link {
        private final Socket clientSocket;
        private final Socket targetSocket;
        /** True if the connection was swallowed, and so forwards no byte any more. */
        private volatile boolean isSwallowed;

        private Link(Socket clientSocket, Socket targetSocket) {
            this.clientSocket = clientSocket;
            this.targetSocket = targetSocket;
        }

        private void connect() {
            try {
                awaitPassing();
                targetSocket.connect(target, CONNECT_TIMEOUT_MS);
                clientSocket.setTcpNoDelay(true);
                targetSocket.setTcpNoDelay(true);
                Thread.ofVirtual().start(() -> forward(clientSocket, targetSocket));
                forward(targetSocket, clientSocket);
            } catch (IOException | InterruptedException e) {
                reset();
            }
        }

        private void forward(Socket from, Socket to) {
            byte[] chunk = new byte[16 * 1024];
            try {
                InputStream in = from.getInputStream();
                for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                    if (isSwallowed) {
                        continue;
                    }
                    Duration chunkDelay = awaitPassing();
                    if (chunkDelay.isPositive()) {
                        Thread.sleep(chunkDelay);
                    }
                    if (!isSwallowed) {
                        to.getOutputStream().write(chunk, 0, read);
                    }
                }
                if (!isSwallowed) {
                    to.shutdownOutput();
                }
            } catch (IOException | InterruptedException e) {
                if (!isSwallowed) {
                    reset();
                }
            }
            // In a swallowed connection, one end is not notified that the other end has closed.
            if (!isSwallowed && clientSocket.isOutputShutdown() && targetSocket.isOutputShutdown()) {
                reset();
            }
        }

        private void reset() {
            links.remove(this);
            for (Socket socket : new Socket[] {clientSocket, targetSocket}) {
                close(socket);
            }
        }

        private static void close(Socket socket) {
            try {
                if (socket.isConnected() && !socket.isClosed()) {
                    socket.setSoLinger(true, 0);
                }
                socket.close();
            } catch (IOException e) {
                // The socket is closed, as intended.
            }
        }
    }

    @Override
    public void close() {
        changeState(State.CUT, Duration.ZERO);
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        links.forEach(Link::reset);
    }
}
