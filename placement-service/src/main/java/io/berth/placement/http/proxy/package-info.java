/**
 * The address of this service from outside: links begin with {@link io.berth.placement.http.proxy.PublicAddress}, and
 * {@link io.berth.placement.http.proxy.PathPrefix} removes what comes before the API's own paths. Must not know routes.
 */
package io.berth.placement.http.proxy;
