/**
 * Which filters, weighers and prefilters there are: Berth's own, and those of an extension jar that was named when the
 * service was built ({@code -Dberth.extension=group:artifact:version}).
 * {@link io.berth.scheduler.extension.DiscoveredClasses} is the one place that asks CDI for them,
 * {@link io.berth.scheduler.extension.EnabledClasses} those of them that options let run.
 */
package io.berth.scheduler.extension;
