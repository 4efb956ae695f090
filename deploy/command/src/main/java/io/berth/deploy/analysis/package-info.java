/**
 * The commands that ask the scheduler why, whether and how many ({@code berth why}, {@code why-not}, {@code how-many},
 * {@code what-if}, {@code drain}, {@code shadow}), and the subcommands that run a drain ({@code drain start}, {@code
 * next}, {@code status}, {@code stop}). Each sends one request. The first print the text that the scheduler rendered,
 * the drain subcommands text of their own; all print the response as JSON with {@code --json}.
 *
 * <p>Entry points: the {@code *Command} classes, which {@code io.berth.deploy.command.BerthMain} registers.
 */
package io.berth.deploy.analysis;
