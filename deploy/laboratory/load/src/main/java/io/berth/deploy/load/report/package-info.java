/**
 * The output of a run: a table while it runs, a JSON file at its end; and the processor time behind the figures.
 *
 * <p>Start with {@link io.berth.deploy.load.report.Row}, one measurement. Depends on {@code http} for the measurements.
 */
package io.berth.deploy.load.report;
