/**
 * The policy rules of placement and their defaults: {@link io.berth.placement.identity.PlacementRules}, which {@code
 * io.berth.identity} finds as a bean. That package identifies the callers and evaluates the rules.
 */
package io.berth.placement.identity;
