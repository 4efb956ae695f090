package io.berth.model;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;

/** Reads PEM files of certificate authorities, so that a process finds out at its start that a file is unusable. */
public final class CaFile {
    private CaFile() {}

    /**
     * Returns a key store with the certificates of a PEM file, at least one.
     *
     * @param option the option that names the file, for messages
     * @throws IllegalArgumentException with one line for the operator, if the file cannot be read or has no certificate
     */
    public static KeyStore read(String option, Path file) {
        try (InputStream pem = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int count = 0;
            for (Certificate certificate : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                store.setCertificateEntry("ca" + count++, certificate);
            }
            if (count == 0) {
                throw new IllegalArgumentException(refusal(option, file, "has no certificate"));
            }
            return store;
        } catch (NoSuchFileException absent) {
            throw new IllegalArgumentException(refusal(option, file, "does not exist"), absent);
        } catch (IOException | GeneralSecurityException broken) {
            throw new IllegalArgumentException(
                    refusal(option, file, "cannot be read: " + broken.getMessage()), broken);
        }
    }

    private static String refusal(String option, Path file, String why) {
        return option + ": " + file + " " + why
                + "; name a PEM file of certificate authorities, whose blocks begin with -----BEGIN CERTIFICATE-----";
    }
}
