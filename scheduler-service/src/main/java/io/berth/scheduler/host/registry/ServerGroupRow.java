package io.berth.scheduler.host.registry;

import jakarta.persistence.Entity;
import jakarta.persistence.Table;

@Entity
@Table(name = "server_groups")
class ServerGroupRow extends RegistryRow {}
