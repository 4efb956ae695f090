/**
 * Predicts the effects of changes of the cloud or of the options. {@link io.berth.scheduler.scenario.WhatIfEndpoint}
 * computes the same results twice: for the present cloud and for the cloud with the changes. Counts capacity with the
 * package {@code capacity}, and plans drains with the package {@code planning}. Nothing is claimed or written. No other
 * package uses this one.
 */
package io.berth.scheduler.scenario;
