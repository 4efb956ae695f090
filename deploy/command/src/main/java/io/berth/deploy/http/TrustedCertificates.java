package io.berth.deploy.http;

import io.berth.model.CaFile;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Creates TLS contexts that trust the certificate authorities of a PEM file instead of the JDK's. */
public final class TrustedCertificates {
    private TrustedCertificates() {}

    /**
     * Returns a TLS context that trusts only the certificate authorities of the file.
     *
     * @throws IllegalArgumentException if the file is unreadable or has no certificate; the message is one line for the
     *         user
     */
    public static SSLContext load(Path pemFile) {
        try {
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(CaFile.read("CA certificates", pemFile));
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
