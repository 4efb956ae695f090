/**
 * Claims hosts: walks down a ranked list until a claim holds. {@link io.berth.scheduler.claim.ClaimLoop} is the entry
 * point; {@link io.berth.scheduler.claim.ClaimStrategy} is what a request with or without a record does before and
 * after it. This package must not know filters, weighers or records of requests.
 */
package io.berth.scheduler.claim;
