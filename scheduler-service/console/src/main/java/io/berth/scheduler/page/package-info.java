/**
 * The operator's page at {@code /ui}: static files, public as they hold nothing of the cloud. What it shows it asks of the
 * documented routes, with the token of whoever looks at it. Sources: {@code resources/page}; its one library comes
 * as a web jar.
 *
 * <p>Start at {@link io.berth.scheduler.page.PageRoutes}.
 */
package io.berth.scheduler.page;
