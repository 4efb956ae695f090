package io.berth.deploy.process;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A TCP connection over which a test sends exact bytes and reads HTTP responses one by one. Not thread-safe. */
public final class RawConnection implements AutoCloseable {
    private static final int READ_TIMEOUT_MS = 120_000;

    private final Socket socket;
    private final InputStream in;

    private RawConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    /**
     * A response.
     *
     * @param headers values by name in lower case
     */
    public record Response(int status, Map<String, String> headers, String body) {}

    /**
     * Connects to a service.
     *
     * @param url any URL of the service with a port; only host and port are used
     */
    public static RawConnection to(String url) {
        return to(url, 0);
    }

    /**
     * Connects to a service like {@link #to(String)}.
     *
     * @param receiveBytes size of the socket's receive buffer; 0 for the operating system's default
     */
    public static RawConnection to(String url, int receiveBytes) {
        URI service = URI.create(url);
        try {
            var socket = new Socket();
            if (receiveBytes > 0) {
                socket.setReceiveBufferSize(receiveBytes);
            }
            socket.connect(new InetSocketAddress(service.getHost(), service.getPort()), READ_TIMEOUT_MS);
            socket.setSoTimeout(READ_TIMEOUT_MS);
            return new RawConnection(socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a connection over a socket that is already connected, such as one with TLS. */
    public static RawConnection over(Socket socket) {
        try {
            socket.setSoTimeout(READ_TIMEOUT_MS);
            return new RawConnection(socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Sends the text in ISO-8859-1. Ignores a failed write, because a response may be readable nevertheless.
     */
    public RawConnection send(String bytes) {
        try {
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            // The caller reads the response, or sees that the connection is closed.
        }
        return this;
    }

    /** Returns whether a byte of a response can be read, or the connection is closed. Waits at most 1 ms. */
    public boolean hasInput() {
        try {
            socket.setSoTimeout(1);
            in.mark(1);
            try {
                in.read();
            } finally {
                socket.setSoTimeout(READ_TIMEOUT_MS);
            }
            in.reset();
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /**
     * Reads the next response, with a body of Content-Length bytes; without this header, the body is empty. Returns
     * null if the connection is closed before the status line is complete, if it is reset, or if no byte arrives for
     * two minutes. If the connection is closed later, the headers or the body are incomplete.
     */
    public Response readResponse() {
        try {
            String statusLine = readLine();
            if (statusLine == null) {
                return null;
            }
            Map<String, String> headers = new TreeMap<>();
            for (String line = readLine(); line != null && !line.isEmpty(); line = readLine()) {
                int colon = line.indexOf(':');
                headers.put(line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
            }
            byte[] body = in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
            int status = Integer.parseInt(statusLine.split(" ")[1]);
            return new Response(status, headers, new String(body, StandardCharsets.UTF_8));
        } catch (IOException e) {
            return null;
        }
    }

    /** Reads the next line. Returns it without its end; null if the stream ends before the end of the line. */
    private String readLine() throws IOException {
        var line = new ByteArrayOutputStream();
        for (int nextByte = in.read(); nextByte != '\n'; nextByte = in.read()) {
            if (nextByte < 0) {
                return null;
            }
            line.write(nextByte);
        }
        return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
