package io.berth.scheduler.api;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;

/**
 * Receives traces as exporters send them, OTLP over HTTP in protocol buffers, and reads the fields that the test needs.
 * <br>Source: opentelemetry-proto {@code trace/v1/trace.proto} (field numbers).
 */
final class TraceReceiver implements AutoCloseable {
    private static final int BYTES = 2;

    private final HttpServer server;
    private final List<Span> spans = new CopyOnWriteArrayList<>();

    /** @param service the name of the service that sent the span */
    record Span(String service, String traceId, String spanId, String parentId, String name) {}

    TraceReceiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", exchange -> {
            each(ByteBuffer.wrap(exchange.getRequestBody().readAllBytes()), (field, message) -> resourceSpans(message));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    List<Span> spans() {
        return spans;
    }

    private void resourceSpans(ByteBuffer message) {
        String[] service = {""};
        each(message, (field, part) -> {
            if (field == 1) {
                each(part, (number, attribute) -> {
                    String[] pair = keyAndText(attribute);
                    service[0] = "service.name".equals(pair[0]) ? pair[1] : service[0];
                });
            } else if (field == 2) {
                each(part, (number, span) -> {
                    if (number == 2) {
                        spans.add(span(service[0], span));
                    }
                });
            }
        });
    }

    private static Span span(String service, ByteBuffer message) {
        String[] parts = new String[6];
        each(message, (field, value) -> {
            if (field < parts.length) {
                parts[field] = field == 5 ? text(value) : HexFormat.of().formatHex(bytes(value));
            }
        });
        return new Span(service, parts[1], parts[2], parts[4], parts[5]);
    }

    private static String[] keyAndText(ByteBuffer message) {
        String[] pair = {"", ""};
        each(message, (field, value) -> {
            if (field == 1) {
                pair[0] = text(value);
            } else if (field == 2) {
                each(value, (kind, text) -> pair[1] = kind == 1 ? text(text) : pair[1]);
            }
        });
        return pair;
    }

    /** Visits the length-delimited fields of a message and skips all others. */
    private static void each(ByteBuffer message, BiConsumer<Integer, ByteBuffer> field) {
        while (message.hasRemaining()) {
            long tag = varint(message);
            switch ((int) (tag & 7)) {
                case 0 -> varint(message);
                case 1 -> message.position(message.position() + Long.BYTES);
                case BYTES -> {
                    int length = (int) varint(message);
                    field.accept((int) (tag >>> 3), message.slice(message.position(), length));
                    message.position(message.position() + length);
                }
                case 5 -> message.position(message.position() + Integer.BYTES);
                default -> throw new IllegalStateException("no wire type " + (tag & 7));
            }
        }
    }

    private static long varint(ByteBuffer message) {
        long value = 0;
        for (int shift = 0;; shift += 7) {
            byte next = message.get();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }

    private static byte[] bytes(ByteBuffer value) {
        byte[] bytes = new byte[value.remaining()];
        value.duplicate().get(bytes);
        return bytes;
    }

    private static String text(ByteBuffer value) {
        return new String(bytes(value), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
