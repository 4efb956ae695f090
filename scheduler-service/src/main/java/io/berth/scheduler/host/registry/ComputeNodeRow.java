package io.berth.scheduler.host.registry;

import jakarta.persistence.Entity;
import jakarta.persistence.Table;

@Entity
@Table(name = "compute_nodes")
class ComputeNodeRow extends RegistryRow {}
