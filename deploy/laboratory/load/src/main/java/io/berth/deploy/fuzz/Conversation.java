package io.berth.deploy.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** Sends the bytes of a request over a new connection, and reads until the server closes it. */
final class Conversation {
    private static final int ANSWER_MS_MAX = 30_000;
    /** The wait in ms for the response to an incomplete request, to which the server may not respond at all. */
    private static final int WAIT_MS = 300;
    private static final int SHOWN_BYTES_MAX = 4_000_000;

    private Conversation() {}

    /**
     * The bytes that the server sent.
     *
     * @param status the status of the first response; 0 if the connection was closed without a response; -1 if there
     *         was neither a response nor a close in time
     * @param text the received bytes as ISO-8859-1, at most {@value #SHOWN_BYTES_MAX} and a buffer
     */
    record Response(int status, String text) {}

    static Response hold(InetSocketAddress server, WireMutation.Wire wire) throws IOException {
        try (var socket = new Socket()) {
            socket.connect(server, ANSWER_MS_MAX);
            socket.setSoTimeout(wire.answersMin() == 0 ? WAIT_MS : ANSWER_MS_MAX);
            // Writes in another thread, because the server may respond and stop reading before all bytes are sent.
            Thread writer = Thread.startVirtualThread(() -> send(socket, wire.bytes()));
            var said = new ByteArrayOutputStream();
            boolean late = false;
            try {
                read(socket.getInputStream(), said);
            } catch (SocketTimeoutException e) {
                late = said.size() == 0;
            } catch (IOException e) {
                // The server reset the connection instead of reading the rest. A response that was received before
                // counts.
            }
            String text = said.toString(StandardCharsets.ISO_8859_1);
            writer.interrupt();
            return new Response(late ? -1 : status(text), text);
        }
    }

    private static void send(Socket socket, byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (IOException e) {
            // The reader determines the outcome.
        }
    }

    private static void read(InputStream in, ByteArrayOutputStream said) throws IOException {
        byte[] buffer = new byte[16_384];
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            if (said.size() < SHOWN_BYTES_MAX) {
                said.write(buffer, 0, read);
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
