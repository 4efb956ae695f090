package io.berth.scheduler.host.registry;

import jakarta.persistence.Column;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.Version;
import java.util.UUID;
import org.hibernate.annotations.ColumnTransformer;

/** One registered record: its checked JSON body and the version that guards against lost updates. */
@MappedSuperclass
abstract class RegistryRow {
    @Id
    UUID uuid;

    @Version
    long version;

    /** The column is jsonb; it travels as text, since the text is what we check and what we answer. */
    @Column(nullable = false)
    @ColumnTransformer(read = "body #>> '{}'", write = "cast(cast(? as text) as jsonb)")
    String body;
}
