/**
 * {@code berth host|decision|instance|group list|show} and {@code berth status}: read records of the scheduler and
 * print them in the formats of {@link io.berth.deploy.text.Listing}.
 *
 * <p>Entry point: {@link io.berth.deploy.list.Kind}, which adds the subcommands to {@code BerthMain}.
 */
package io.berth.deploy.list;
