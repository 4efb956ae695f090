package io.berth.scheduler.host.registry.instance;

import jakarta.annotation.Nullable;
import java.util.UUID;

/**
 * An instance that a name may mean.
 *
 * @param host where it is registered, or was last placed; null if unknown
 */
public record NamedInstance(String name, UUID uuid, @Nullable String host) {}
