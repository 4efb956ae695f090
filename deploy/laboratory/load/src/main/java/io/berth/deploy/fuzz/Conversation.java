package io.berth.deploy.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/**
 * Sends the bytes of a request over a new connection, and reads until the server closes the connection, or sends
 * nothing for some time.
 */
final class Conversation {
    private static final int RESPONSE_TIMEOUT_MS = 30_000;
    /** The wait in ms for a response that the server need not send, such as that to an incomplete request. */
    private static final int OPTIONAL_RESPONSE_TIMEOUT_MS = 300;
    private static final int RECEIVED_BYTES_MAX = 4_000_000;

    private Conversation() {}

    /**
     * The bytes that the server sent.
     *
     * @param status the status of the first response; 0 if the connection was closed without a response, or if the
     *         received bytes do not begin with a status line; -1 if the server neither sent a byte nor closed the
     *         connection in time
     * @param text the received bytes as ISO-8859-1, cut after about {@value #RECEIVED_BYTES_MAX} bytes
     */
    record Response(int status, String text) {}

    /** Sends the bytes and returns what the server sent. */
    static Response sendAndReceive(InetSocketAddress server, WireMutation.RenderedRequest request) throws IOException {
        try (var socket = new Socket()) {
            socket.connect(server, RESPONSE_TIMEOUT_MS);
            socket.setSoTimeout(request.responsesMin() == 0 ? OPTIONAL_RESPONSE_TIMEOUT_MS : RESPONSE_TIMEOUT_MS);
            // Writes in another thread, because the server may respond and stop reading before all bytes are sent.
            Thread writer = Thread.startVirtualThread(() -> send(socket, request.bytes()));
            var received = new ByteArrayOutputStream();
            boolean timedOut = false;
            try {
                read(socket.getInputStream(), received);
            } catch (SocketTimeoutException e) {
                timedOut = received.size() == 0;
            } catch (IOException e) {
                // The server reset the connection instead of reading the whole request. What was received before
                // counts.
            }
            String text = received.toString(StandardCharsets.ISO_8859_1);
            writer.interrupt();
            return new Response(timedOut ? -1 : status(text), text);
        }
    }

    private static void send(Socket socket, byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (IOException e) {
            // The reader determines the outcome.
        }
    }

    private static void read(InputStream in, ByteArrayOutputStream received) throws IOException {
        byte[] buffer = new byte[16_384];
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            if (received.size() < RECEIVED_BYTES_MAX) {
                received.write(buffer, 0, read);
            }
        }
    }

    private static int status(String text) {
        if (!text.startsWith("HTTP/1.") || text.length() < 12) {
            return 0;
        }
        try {
            return Integer.parseInt(text.substring(9, 12));
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
