/** Structured request headers that both services read: the accepted media types. Pure. */
package io.berth.http.header;
