package io.berth.deploy.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/** A self-signed certificate with its private key, for tests of TLS. No client trusts the certificate by default. */
public final class SelfSigned {
    /** The password of the key store and of the private key in it. */
    public static final String PASSWORD = "changeit";

    private static final String ALIAS = "server";

    private final KeyStore keys;

    private SelfSigned(KeyStore keys) {
        this.keys = keys;
    }

    /**
     * Creates a certificate with the subject CN=localhost, valid for two days, with the JDK's keytool.
     *
     * @param name the subject alternative name in keytool's form: {@code dns:localhost} or {@code ip:127.0.0.1}
     */
    public static SelfSigned of(String name) {
        try {
            Path folder = Files.createTempDirectory("berth-certificate");
            Path store = folder.resolve("store.p12");
            try (InputStream generated = generate(store, name)) {
                KeyStore keys = KeyStore.getInstance("PKCS12");
                keys.load(generated, PASSWORD.toCharArray());
                return new SelfSigned(keys);
            } finally {
                Files.deleteIfExists(store);
                Files.delete(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static InputStream generate(Path store, String name) throws IOException, InterruptedException {
        int status = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-alias", ALIAS,
                "-keyalg", "EC", "-validity", "2", "-dname", "CN=localhost", "-ext", "san=" + name, "-storetype",
                "PKCS12", "-keystore", store.toString(), "-storepass", PASSWORD)
                .inheritIO()
                .start()
                .waitFor();
        if (status != 0) {
            throw new IllegalStateException("keytool ended with " + status);
        }
        return Files.newInputStream(store);
    }

    public KeyStore keys() {
        return keys;
    }

    /**
     * Writes the certificate as PEM. A client that uses this file as its certificate authority trusts the certificate.
     */
    public SelfSigned writeCertificate(Path pem) {
        try {
            return writePem(pem, "CERTIFICATE", keys.getCertificate(ALIAS).getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Writes the private key as PEM into a new file that only its owner may read. */
    public SelfSigned writeKey(Path pem) {
        try {
            Files.createFile(pem, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            return writePem(pem, "PRIVATE KEY", keys.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private SelfSigned writePem(Path pem, String pemType, byte[] bytes) {
        try {
            Files.writeString(pem, "-----BEGIN %1$s-----%n%2$s%n-----END %1$s-----%n".formatted(
                    pemType, Base64.getMimeEncoder().encodeToString(bytes)));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
