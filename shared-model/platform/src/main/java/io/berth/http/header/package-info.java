/** Parsers of structured request headers for both services: {@link io.berth.http.header.Accept}. Pure. */
package io.berth.http.header;
