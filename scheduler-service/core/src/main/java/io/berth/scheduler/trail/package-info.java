/**
 * What one request notes on its way to a host, for its record: {@link io.berth.scheduler.trail.Trail}. References and
 * numbers alone; whoever writes the record makes something of them. Must not know who decides, searches or claims.
 */
package io.berth.scheduler.trail;
