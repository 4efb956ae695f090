package io.berth.scheduler.decision;

import io.berth.scheduler.spi.Reason;

/** A host that a stage removed, with the reason. */
public record Rejection(HostName host, Reason reason) {}
