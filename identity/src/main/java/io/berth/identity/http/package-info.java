/** Small bounded HTTP calls to identity services: {@link io.berth.identity.http.BoundedHttp}. */
package io.berth.identity.http;
