/**
 * The queries to the scheduler, which change nothing ({@code berth why}, {@code why-not}, {@code how-many}, {@code
 * what-if}, {@code drain}, {@code shadow}), and the subcommands that run a drain ({@code drain start}, {@code next},
 * {@code status}, {@code stop}). Each command sends one request. The queries print the text that the scheduler
 * rendered; the subcommands of {@code drain} render the text themselves. With {@code --json} all print the response as
 * JSON.
 *
 * <p>Entry points: the public {@code *Command} classes, which {@code io.berth.deploy.command.BerthMain} registers.
 */
package io.berth.deploy.analysis;
