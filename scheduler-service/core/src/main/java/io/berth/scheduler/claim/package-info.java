/**
 * Claims hosts: tries a ranked list until a claim holds. {@link io.berth.scheduler.claim.ClaimLoop} makes the claims.
 * {@link io.berth.scheduler.claim.ClaimStrategy} is what {@code selection} calls: it has the steps before and after a
 * claim, and is implemented by {@code requestrecord} for requests with a record and by {@code move} for moves. This
 * package must not know filters, weighers or records of requests.
 */
package io.berth.scheduler.claim;
