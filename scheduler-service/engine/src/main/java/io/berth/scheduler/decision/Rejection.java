package io.berth.scheduler.decision;

import io.berth.scheduler.spi.Reason;

/** A host that left at some stage. */
public record Rejection(HostName host, Reason reason) {}
