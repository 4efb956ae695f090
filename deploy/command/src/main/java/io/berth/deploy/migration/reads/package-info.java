/**
 * The same questions to two services, and whether both answer alike: what a comparison of states cannot say, since
 * filters, usages and candidates are worked out by the service.
 *
 * <p>Entry point: {@link io.berth.deploy.migration.reads.ReadComparison}.
 */
package io.berth.deploy.migration.reads;
