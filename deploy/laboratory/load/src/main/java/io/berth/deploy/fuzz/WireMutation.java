package io.berth.deploy.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;

/**
 * Renders a request as the bytes of HTTP/1.1. One request in five has invalid or unusual framing, too many or too long
 * headers or a mutated method, is sent several times over one connection, or is replaced by noise. Unless the request
 * is noise, each usual header also has a small chance to be mutated or missing.
 */
final class WireMutation {
    private static final byte[] NONE = {};

    private final RandomGenerator random;
    private final TextMutation textMutation;

    WireMutation(RandomGenerator random) {
        this.random = random;
        this.textMutation = new TextMutation(random);
    }

    /**
     * The bytes to send.
     *
     * @param responsesMin 1 if the server must respond; 0 if it may close the connection without a response
     */
    record RenderedRequest(byte[] bytes, int responsesMin) {}

    /**
     * Returns the bytes of a request.
     *
     * @param target path and query
     * @param body null for none
     * @param isForPlacement whether the request is for placement, and so has a microversion
     */
    RenderedRequest render(String method, String target, byte[] body, boolean isForPlacement) {
        byte[] content = body == null ? NONE : body;
        return switch (random.nextInt(60)) {
            case 0 -> new RenderedRequest(
                    request(method, target, "transfer-encoding: chunked\r\n", chunked(content), isForPlacement),
                    1);
            case 1 -> new RenderedRequest(
                    request(method, target, "transfer-encoding: chunked\r\n", brokenChunks(content),
                            isForPlacement), 0);
            case 2 -> new RenderedRequest(
                    request(method, target, contentLength(content.length + 100), content, isForPlacement), 0);
            case 3 -> new RenderedRequest(
                    request(method, target, contentLength(content.length / 2), content, isForPlacement), 1);
            case 4 -> new RenderedRequest(
                    request(method, target, "content-length: " + textMutation.mutate("1") + "\r\n", content,
                            isForPlacement), 0);
            case 5 -> new RenderedRequest(
                    request(method, target, contentLength(content.length) + contentLength(content.length + 1), content,
                            isForPlacement), 0);
            case 6 -> new RenderedRequest(request(
                    method, target, contentLength(content.length) + "transfer-encoding: chunked\r\n", chunked(content),
                    isForPlacement), 0);
            case 7 -> new RenderedRequest(
                    request(method, target, contentLength(content.length) + manyHeaders(), content, isForPlacement), 0);
            case 8 -> new RenderedRequest(request(
                    method, target, contentLength(content.length) + "x-a: " + "y".repeat(200_000) + "\r\n", content,
                    isForPlacement), 0);
            case 9 -> pipelined(method, target, content, isForPlacement);
            case 10 -> new RenderedRequest(noise(), 0);
            case 11 -> new RenderedRequest(
                    request(textMutation.mutate(method), target, contentLength(content.length), content,
                            isForPlacement), 0);
            default -> new RenderedRequest(
                    request(method, target, body == null ? "" : contentLength(content.length), content, isForPlacement),
                    1);
        };
    }

    private byte[] request(String method, String target, String headers, byte[] body, boolean isForPlacement) {
        String head = method + " " + target + " HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n"
                + headers + header("x-auth-token", "admin", 60)
                + header("content-type", "application/json", 40)
                + header("accept", "application/json", 60)
                + (isForPlacement ? header("openstack-api-version", "placement 1." + random.nextInt(40), 40) : "")
                + "\r\n";
        return join(head.getBytes(StandardCharsets.ISO_8859_1), body);
    }

    /**
     * Renders a header. With a probability of 1 / {@code oneIn} each, mutates the value or omits the header. The value
     * is cut after 4,000 characters.
     */
    private String header(String name, String value, int oneIn) {
        int chance = random.nextInt(oneIn);
        String headerValue = chance == 0 ? textMutation.mutate(value) : value;
        return chance == 1
                ? ""
                : name + ": " + (headerValue.length() > 4_000 ? headerValue.substring(0, 4_000) : headerValue) + "\r\n";
    }

    private static String contentLength(int bytes) {
        return "content-length: " + bytes + "\r\n";
    }

    private String manyHeaders() {
        var result = new StringBuilder();
        for (int i = random.nextInt(2_000); i >= 0; i--) {
            result.append("x-flood-").append(i).append(": a\r\n");
        }
        return result.toString();
    }

    private byte[] chunked(byte[] body) {
        var result = new ByteArrayOutputStream();
        for (int index = 0; index < body.length;) {
            int size = Math.min(body.length - index, 1 + random.nextInt(5_000));
            result.writeBytes((Integer.toHexString(size) + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            result.write(body, index, size);
            result.writeBytes(new byte[] {'\r', '\n'});
            index += size;
        }
        result.writeBytes("0\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
        return result.toByteArray();
    }

    /** Returns the body after a chunk size that is invalid, too large or missing, or that has a very long extension. */
    private byte[] brokenChunks(byte[] body) {
        String[] sizes = {"ffffffff", "-1", "zz", "7fffffffffffffff", "", "5;" + "x".repeat(10_000)};
        return join((sizes[random.nextInt(sizes.length)] + "\r\n").getBytes(StandardCharsets.ISO_8859_1), body);
    }

    /**
     * Renders the request one to ten times in a row, for one connection; only the last one has the header that closes
     * it.
     */
    private RenderedRequest pipelined(String method, String target, byte[] body, boolean isForPlacement) {
        byte[] lastRequest = request(method, target, contentLength(body.length), body, isForPlacement);
        byte[] keepAliveRequest = new String(lastRequest, StandardCharsets.ISO_8859_1)
                .replaceFirst("connection: close",
                        "connection: keep-alive")
                .getBytes(StandardCharsets.ISO_8859_1);
        byte[] result = NONE;
        for (int i = random.nextInt(10); i > 0; i--) {
            result = join(result, keepAliveRequest);
        }
        return new RenderedRequest(join(result, lastRequest), 1);
    }

    private byte[] noise() {
        byte[] noise = new byte[1 + random.nextInt(300)];
        random.nextBytes(noise);
        return join(random.nextBoolean() ? NONE : "GET / HTTP/9.9\r\n".getBytes(StandardCharsets.ISO_8859_1),
                join(noise, "\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1)));
    }

    private static byte[] join(byte[] first, byte[] second) {
        byte[] result = new byte[first.length + second.length];
        System.arraycopy(first, 0, result, 0, first.length);
        System.arraycopy(second, 0, result, first.length, second.length);
        return result;
    }
}
