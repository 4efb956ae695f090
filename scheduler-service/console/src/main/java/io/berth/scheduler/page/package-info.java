/**
 * The operator's page at {@code /ui}: static files, public because they contain nothing of the cloud. The page gets its
 * data from the documented routes, with the token of its user. Sources: {@code resources/page}; its one library comes
 * as a web jar.
 *
 * <p>Start at {@link io.berth.scheduler.page.PageRoutes}.
 */
package io.berth.scheduler.page;
