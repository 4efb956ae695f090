/**
 * The commands with which operators query the scheduler: {@code berth why}, {@code why-not}, {@code how-many},
 * {@code what-if}, {@code drain}, {@code shadow}. Each sends one request and prints the text that the scheduler
 * rendered, or with {@code --json} the response as JSON.
 *
 * <p>Entry points: the {@code *Command} classes, which {@code io.berth.deploy.command.BerthMain} registers.
 */
package io.berth.deploy.analysis;
