/**
 * The PCI requests of an instance and the free devices of a host.
 *
 * <p>Three entry points, all pure: {@link io.berth.scheduler.pci.PciAliases} parses the configured aliases, {@link
 * io.berth.scheduler.pci.PciConstraints} derives the requests of a flavor from the aliases, and {@link
 * io.berth.scheduler.pci.PciStats} assigns devices of a host to requests. The package depends on {@code
 * io.berth.scheduler.numa} for host cells; it must not depend on requests, host states, filters or I/O.
 * <br>Source: nova {@code pci/stats.py}, {@code pci/request.py}.
 */
package io.berth.scheduler.pci;
