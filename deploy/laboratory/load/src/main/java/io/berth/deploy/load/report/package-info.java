/**
 * The results of a run of the load generator: a table that is printed during the run, and a JSON file at its end. Also
 * measures the processor time, memory and written bytes of the services.
 *
 * <p>Entry points: {@link io.berth.deploy.load.report.Report} and {@link io.berth.deploy.load.report.ProcessMeter}.
 */
package io.berth.deploy.load.report;
