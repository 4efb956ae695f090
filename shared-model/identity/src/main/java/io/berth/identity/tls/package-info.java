/**
 * TLS options that an operator needs and Quarkus does not offer at run time or in environment variables: certificates
 * of clients ({@link io.berth.identity.tls.ClientCertificates}), and the files of the server's certificate and of
 * authorities ({@link io.berth.identity.tls.TlsFiles}).
 */
package io.berth.identity.tls;
