package io.berth.deploy.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;

/** Renders a request as the bytes of HTTP/1.1: one in five with invalid or unusual framing or headers. */
final class WireMutation {
    private static final byte[] NONE = {};

    private final RandomGenerator random;
    private final TextMutation texts;

    WireMutation(RandomGenerator random) {
        this.random = random;
        this.texts = new TextMutation(random);
    }

    /**
     * The bytes to send.
     *
     * @param answersMin responses that the server must send at least; 0 if it may close the connection without one
     */
    record Wire(byte[] bytes, int answersMin) {}

    Wire write(String method, String target, byte[] body, boolean placement) {
        byte[] content = body == null ? NONE : body;
        return switch (random.nextInt(60)) {
            case 0 -> new Wire(request(method, target, "transfer-encoding: chunked\r\n", chunked(content), placement),
                    1);
            case 1 -> new Wire(request(method, target, "transfer-encoding: chunked\r\n", brokenChunks(content),
                    placement), 0);
            case 2 -> new Wire(request(method, target, length(content.length + 100), content, placement), 0);
            case 3 -> new Wire(request(method, target, length(content.length / 2), content, placement), 1);
            case 4 -> new Wire(request(method, target, "content-length: " + texts.spoil("1") + "\r\n", content,
                    placement), 0);
            case 5 -> new Wire(request(method, target, length(content.length) + length(content.length + 1), content,
                    placement), 0);
            case 6 -> new Wire(request(
                    method, target, length(content.length) + "transfer-encoding: chunked\r\n", chunked(content),
                    placement), 0);
            case 7 -> new Wire(request(method, target, length(content.length) + flood(), content, placement), 0);
            case 8 -> new Wire(request(
                    method, target, length(content.length) + "x-a: " + "y".repeat(200_000) + "\r\n", content,
                    placement), 0);
            case 9 -> pipelined(method, target, content, placement);
            case 10 -> new Wire(noise(), 0);
            case 11 -> new Wire(request(texts.spoil(method), target, length(content.length), content, placement), 0);
            default -> new Wire(request(method, target, body == null ? "" : length(content.length), content, placement),
                    1);
        };
    }

    private byte[] request(String method, String target, String headers, byte[] body, boolean placement) {
        String head = method + " " + target + " HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n"
                + headers + header("x-auth-token", "admin", 60)
                + header("content-type", "application/json", 40)
                + header("accept", "application/json", 60)
                + (placement ? header("openstack-api-version", "placement 1." + random.nextInt(40), 40) : "") + "\r\n";
        return join(head.getBytes(StandardCharsets.ISO_8859_1), body);
    }

    /** Renders a header. Mutates its value with a probability of 1 / {@code oneIn}, and omits it with the same. */
    private String header(String name, String value, int oneIn) {
        int what = random.nextInt(oneIn);
        String shown = what == 0 ? texts.spoil(value) : value;
        return what == 1 ? "" : name + ": " + (shown.length() > 4_000 ? shown.substring(0, 4_000) : shown) + "\r\n";
    }

    private static String length(int bytes) {
        return "content-length: " + bytes + "\r\n";
    }

    private String flood() {
        var all = new StringBuilder();
        for (int i = random.nextInt(2_000); i >= 0; i--) {
            all.append("x-flood-").append(i).append(": a\r\n");
        }
        return all.toString();
    }

    private byte[] chunked(byte[] body) {
        var all = new ByteArrayOutputStream();
        for (int at = 0; at < body.length;) {
            int size = Math.min(body.length - at, 1 + random.nextInt(5_000));
            all.writeBytes((Integer.toHexString(size) + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            all.write(body, at, size);
            all.writeBytes(new byte[] {'\r', '\n'});
            at += size;
        }
        all.writeBytes("0\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
        return all.toByteArray();
    }

    private byte[] brokenChunks(byte[] body) {
        String[] sizes = {"ffffffff", "-1", "zz", "7fffffffffffffff", "", "5;" + "x".repeat(10_000)};
        return join((sizes[random.nextInt(sizes.length)] + "\r\n").getBytes(StandardCharsets.ISO_8859_1), body);
    }

    private Wire pipelined(String method, String target, byte[] body, boolean placement) {
        byte[] one = request(method, target, length(body.length), body, placement);
        byte[] open = new String(one, StandardCharsets.ISO_8859_1)
                .replaceFirst("connection: close",
                        "connection: keep-alive")
                .getBytes(StandardCharsets.ISO_8859_1);
        byte[] all = NONE;
        for (int i = random.nextInt(10); i > 0; i--) {
            all = join(all, open);
        }
        return new Wire(join(all, one), 1);
    }

    private byte[] noise() {
        byte[] noise = new byte[1 + random.nextInt(300)];
        random.nextBytes(noise);
        return join(random.nextBoolean() ? NONE : "GET / HTTP/9.9\r\n".getBytes(StandardCharsets.ISO_8859_1),
                join(noise, "\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1)));
    }

    private static byte[] join(byte[] a, byte[] b) {
        byte[] all = new byte[a.length + b.length];
        System.arraycopy(a, 0, all, 0, a.length);
        System.arraycopy(b, 0, all, a.length, b.length);
        return all;
    }
}
