/**
 * TLS options that Quarkus does not offer at run time or in environment variables: whether clients need a certificate
 * ({@link io.berth.identity.tls.ClientCertificates}), and the files of the server's certificate, its key and the
 * trusted authorities ({@link io.berth.identity.tls.TlsFiles}).
 */
package io.berth.identity.tls;
