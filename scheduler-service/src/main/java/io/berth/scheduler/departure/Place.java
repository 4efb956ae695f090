package io.berth.scheduler.departure;

import jakarta.annotation.Nullable;

/** Where an instance was. */
public record Place(String host, @Nullable String nodename) {}
