/**
 * Predicts the effects of changes of the cloud or the policy. {@link io.berth.scheduler.scenario.WhatIfEndpoint}
 * computes the same results for the present cloud and for the cloud with the changes. Uses {@code capacity} and
 * {@code planning} for its parts; no other package uses this one. Claims and writes nothing.
 */
package io.berth.scheduler.scenario;
