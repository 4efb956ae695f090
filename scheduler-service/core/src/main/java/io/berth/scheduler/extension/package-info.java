/**
 * Provides filters, weighers and prefilters: Berth's own, and those of the extension jar that the service was built
 * with ({@code -Dberth.extension=group:artifact:version}). {@link io.berth.scheduler.extension.DiscoveredClasses} gets
 * them from CDI, except Berth's own prefilters, which are no beans. {@link io.berth.scheduler.extension.EnabledClasses}
 * holds those that the options enable.
 * {@link io.berth.scheduler.extension.FactSources} queries external services for facts about hosts.
 */
package io.berth.scheduler.extension;
