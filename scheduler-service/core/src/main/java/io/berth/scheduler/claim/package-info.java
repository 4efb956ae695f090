/**
 * Claims hosts: walks down a ranked list until a claim holds. {@link io.berth.scheduler.claim.ClaimLoop} is the entry
 * point; {@link io.berth.scheduler.claim.ClaimStrategy} has the steps before and after a claim, for requests with and
 * without a record. This package must not know filters, weighers or records of requests.
 */
package io.berth.scheduler.claim;
