/**
 * {@code berth why}, {@code why-not} and so on: the scheduler's results for operators, formatted for a terminal. Each
 * subcommand sends one request and formats the response; {@code --json} prints it unchanged.
 *
 * <p>Entry point: {@link io.berth.deploy.ask.AskCommand}.
 */
package io.berth.deploy.ask;
