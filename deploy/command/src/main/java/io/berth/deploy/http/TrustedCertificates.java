package io.berth.deploy.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Creates TLS contexts that trust the certificate authorities of a PEM file instead of the JDK's. */
public final class TrustedCertificates {
    private TrustedCertificates() {}

    /** @throws IllegalArgumentException if the file is unreadable or has no certificate, with one line for the user */
    public static SSLContext load(Path pemFile) {
        try (InputStream pem = Files.newInputStream(pemFile)) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                store.setCertificateEntry("ca-" + number++, each);
            }
            if (number == 0) {
                throw new IllegalArgumentException(pemFile + " holds no certificate");
            }
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("cannot read certificates from " + pemFile + ": there is no such file",
                    e);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException("cannot read certificates from " + pemFile + ": " + e.getMessage(), e);
        }
    }
}
