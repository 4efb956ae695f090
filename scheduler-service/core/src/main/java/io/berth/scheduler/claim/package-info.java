/**
 * Claims hosts: tries a ranked list until a claim holds. {@link io.berth.scheduler.claim.ClaimLoop} makes the claims.
 * The package {@code selection} claims through a {@link io.berth.scheduler.claim.ClaimStrategy}, which adds the steps
 * before and after a claim; {@code requestrecord} implements it for requests that place instances, {@code move} for
 * moves. This package must not know filters, weighers or records of requests.
 */
package io.berth.scheduler.claim;
