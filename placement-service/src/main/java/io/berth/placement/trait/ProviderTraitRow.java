package io.berth.placement.trait;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.Table;

@Entity
@NamedQuery(name = ProviderTraitRow.OF_PROVIDER, query = "from ProviderTraitRow where providerId = :provider")
@Table(name = "provider_traits")
@IdClass(ProviderTraitRow.Key.class)
class ProviderTraitRow {
    static final String OF_PROVIDER = "ProviderTraitRow.ofProvider";

    record Key(Long providerId, Integer traitId) {}

    @Id
    @Column(name = "provider_id")
    Long providerId;

    @Id
    @Column(name = "trait_id")
    Integer traitId;

    ProviderTraitRow() {}

    ProviderTraitRow(long providerId, int traitId) {
        this.providerId = providerId;
        this.traitId = traitId;
    }
}
