/**
 * Which filters, weighers and prefilters there are: Berth's own, and those of an extension jar that was named when the
 * service was built ({@code -Dberth.extension=group:artifact:version}).
 * {@link io.berth.scheduler.extension.DiscoveredClasses} is the one place that asks CDI for them; which of them run is
 * decided by options, elsewhere.
 */
package io.berth.scheduler.extension;
