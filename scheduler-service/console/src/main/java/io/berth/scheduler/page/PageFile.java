package io.berth.scheduler.page;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.zip.GZIPOutputStream;

/**
 * A static file of the operator's page.
 *
 * @param type value of the header Content-Type
 * @param plain content without compression
 * @param zipped content compressed with gzip
 * @param tag entity tag: the beginning of the content's SHA-256 digest, in quotes
 */
record PageFile(String type, byte[] plain, byte[] zipped, String tag) {
    /**
     * Creates a file.
     *
     * @param name file name, whose extension determines the type
     * @throws IllegalArgumentException if the extension is unknown
     */
    static PageFile of(String name, byte[] content) {
        return new PageFile(typeOf(name), content, zip(content), '"' + sha256(content).substring(0, 22) + '"');
    }

    private static String typeOf(String name) {
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "js" -> "text/javascript; charset=utf-8";
            case "css" -> "text/css; charset=utf-8";
            case "svg" -> "image/svg+xml";
            case "html" -> "text/html; charset=utf-8";
            default -> throw new IllegalArgumentException(name + ": the extension must be js, css, svg or html");
        };
    }

    private static byte[] zip(byte[] content) {
        var bytes = new ByteArrayOutputStream(content.length / 2);
        try (var zip = new GZIPOutputStream(bytes)) {
            zip.write(content);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    /** Returns the SHA-256 digest in Base64. */
    static String sha256(byte[] content) {
        try {
            return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
