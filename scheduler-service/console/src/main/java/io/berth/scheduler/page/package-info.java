/**
 * Serves the operator's page at {@code /ui}: static files, which are public because they contain no data of the cloud.
 * The page reads its data from the documented routes with the token of its user. Its sources are in
 * {@code resources/page}; its only library, preact, is in a web jar. Entry point:
 * {@link io.berth.scheduler.page.PageRoutes}.
 */
package io.berth.scheduler.page;
