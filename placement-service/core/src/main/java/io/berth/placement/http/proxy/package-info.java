/**
 * Operation behind a proxy: {@link io.berth.placement.http.proxy.PublicAddress} determines the address that links begin
 * with, and {@link io.berth.placement.http.proxy.PathPrefix} removes a configured prefix from paths before routing.
 * {@code Call} in {@code http} uses the address. This package must not depend on routes.
 */
package io.berth.placement.http.proxy;
