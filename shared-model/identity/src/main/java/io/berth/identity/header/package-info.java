/** The identity strategy {@code noauth2} ({@link io.berth.identity.header.HeaderIdentity}), for development. */
package io.berth.identity.header;
