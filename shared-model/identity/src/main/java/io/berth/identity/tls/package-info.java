/**
 * What Quarkus fixes at build time of TLS and an operator wants to choose:
 * {@link io.berth.identity.tls.ClientCertificates}.
 */
package io.berth.identity.tls;
