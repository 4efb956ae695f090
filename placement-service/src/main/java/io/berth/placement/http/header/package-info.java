/** Structured request headers: the accepted media types, and the origins that may call. */
package io.berth.placement.http.header;
