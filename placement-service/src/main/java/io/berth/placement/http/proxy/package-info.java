/**
 * How this service is reached from outside: {@link io.berth.placement.http.proxy.PublicAddress} is what links begin with,
 * {@link io.berth.placement.http.proxy.PathPrefix} what comes before the API's own paths. Must not know routes.
 */
package io.berth.placement.http.proxy;
