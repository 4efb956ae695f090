/** Structured request headers: the origins that may call. */
package io.berth.placement.http.header;
