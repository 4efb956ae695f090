/**
 * What callers may do with placement: {@link io.berth.placement.identity.PlacementRules}. Who they are:
 * {@code io.berth.identity}.
 */
package io.berth.placement.identity;
