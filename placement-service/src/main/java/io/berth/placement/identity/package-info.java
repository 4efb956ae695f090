/**
 * The policy rules of placement: {@link io.berth.placement.identity.PlacementRules}. {@code io.berth.identity}
 * identifies the callers.
 */
package io.berth.placement.identity;
