/**
 * {@code berth why}, {@code why-not} and so on: the scheduler's results for operators. Each subcommand sends one
 * request and prints the text that the scheduler rendered, or with {@code --json} its JSON.
 *
 * <p>Entry point: {@link io.berth.deploy.ask.AskCommand}.
 */
package io.berth.deploy.ask;
