/**
 * {@code berth why}, {@code why-not} and so on: the scheduler's answers to operators' questions, for a person at a terminal. Each subcommand sends one
 * request and lays its answer out; {@code --json} prints it as it came.
 *
 * <p>Entry point: {@link io.berth.deploy.ask.AskCommand}.
 */
package io.berth.deploy.ask;
