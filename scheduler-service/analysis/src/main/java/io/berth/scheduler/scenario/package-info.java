/**
 * Predicts the effects of changes of the cloud or the policy. {@link io.berth.scheduler.scenario.WhatIfEndpoint}
 * computes the same results for the cloud as it is and as changes would make it. Claims and writes nothing.
 */
package io.berth.scheduler.scenario;
