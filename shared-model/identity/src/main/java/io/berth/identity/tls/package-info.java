/**
 * TLS options that Quarkus fixes at build time and an operator wants to choose: {@link
 * io.berth.identity.tls.ClientCertificates}.
 */
package io.berth.identity.tls;
