/**
 * Matches the PCI requests of an instance with the device pools of a host, and derives the requests of a flavor from
 * aliases.
 *
 * <p>Entry points, all pure: {@link io.berth.scheduler.pci.PciAliases} and {@link
 * io.berth.scheduler.pci.PciConstraints} (flavor to requests), {@link io.berth.scheduler.pci.PciStats} (requests onto
 * pools). Depends on {@code io.berth.scheduler.numa} for cells; never on requests, host states, filters or I/O.
 * <br>Source: nova {@code pci/stats.py}, {@code pci/request.py}.
 */
package io.berth.scheduler.pci;
