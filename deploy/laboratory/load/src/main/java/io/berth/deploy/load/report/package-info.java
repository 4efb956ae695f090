/**
 * What a run leaves behind: a table while it goes, a JSON file at its end; and the processor time behind the figures.
 *
 * <p>Start with {@link io.berth.deploy.load.report.Row}, one measurement. Depends on {@code http} for what was
 * measured.
 */
package io.berth.deploy.load.report;
