package io.berth.deploy.faults;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** One HTTP/1.1 connection whose every byte is ours, for clients that do what no library would. */
final class Client implements AutoCloseable {
    private static final int CONNECT_MS_MAX = 60_000;
    private static final int READ_MS_MAX = 120_000;
    private static final int SMALL_WINDOW_BYTES = 8 * 1024;

    private final Socket socket = new Socket();

    private Client(String url, boolean slow) throws IOException {
        URI service = URI.create(url);
        if (slow) {
            socket.setReceiveBufferSize(SMALL_WINDOW_BYTES);
        }
        socket.connect(new InetSocketAddress(service.getHost(), service.getPort()), CONNECT_MS_MAX);
        socket.setSoTimeout(READ_MS_MAX);
    }

    static Client of(String url) throws IOException {
        return new Client(url, false);
    }

    /** With so small a window that the service keeps what is not read. */
    static Client slow(String url) throws IOException {
        return new Client(url, true);
    }

    /** @param route method and target */
    static String head(String route) {
        return route + " HTTP/1.1\r\nhost: berth\r\nx-auth-token: admin\r\nopenstack-api-version: placement 1.39\r\n"
                + "content-type: application/json\r\n";
    }

    void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    OutputStream out() throws IOException {
        return socket.getOutputStream();
    }

    /** The first line of the response; empty when the connection was closed without one. */
    String firstLine() throws IOException {
        var line = new ByteArrayOutputStream();
        InputStream in = socket.getInputStream();
        for (int each = in.read(); each >= 0 && each != '\r'; each = in.read()) {
            line.write(each);
        }
        return line.toString(StandardCharsets.US_ASCII);
    }

    /** @return whether there was one before the connection was closed */
    boolean readByte() throws IOException {
        return socket.getInputStream().read() >= 0;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
