/**
 * Provides the filters, weighers and prefilters: Berth's own, and those of an extension jar that was specified when the
 * service was built ({@code -Dberth.extension=group:artifact:version}).
 * {@link io.berth.scheduler.extension.DiscoveredClasses} is the only class that gets them from CDI,
 * {@link io.berth.scheduler.extension.EnabledClasses} has the ones that options enable.
 * {@link io.berth.scheduler.extension.FactSources} queries the services that state facts about hosts.
 */
package io.berth.scheduler.extension;
