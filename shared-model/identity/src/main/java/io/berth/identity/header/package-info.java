/** Identity by plain headers, for development: {@link io.berth.identity.header.HeaderIdentity}. */
package io.berth.identity.header;
