package io.berth.scheduler.claim;

import io.berth.scheduler.placement.candidate.AllocationRequest;

/** A claim that holds, or may hold. */
public record Made(Consumer consumer, AllocationRequest request) {}
