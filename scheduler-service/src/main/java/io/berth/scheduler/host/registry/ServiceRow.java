package io.berth.scheduler.host.registry;

import jakarta.persistence.Entity;
import jakarta.persistence.Table;

@Entity
@Table(name = "services")
class ServiceRow extends RegistryRow {}
