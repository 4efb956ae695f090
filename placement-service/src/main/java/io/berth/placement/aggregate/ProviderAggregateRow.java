package io.berth.placement.aggregate;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.Table;
import java.util.UUID;

@Entity
@NamedQuery(name = ProviderAggregateRow.OF_PROVIDER, query = "from ProviderAggregateRow where providerId = :provider")
@Table(name = "provider_aggregates")
@IdClass(ProviderAggregateRow.Key.class)
class ProviderAggregateRow {
    static final String OF_PROVIDER = "ProviderAggregateRow.ofProvider";

    record Key(Long providerId, UUID aggregate) {}

    @Id
    @Column(name = "provider_id")
    Long providerId;

    @Id
    UUID aggregate;

    ProviderAggregateRow() {}

    ProviderAggregateRow(long providerId, UUID aggregate) {
        this.providerId = providerId;
        this.aggregate = aggregate;
    }
}
