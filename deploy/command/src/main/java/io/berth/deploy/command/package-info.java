/**
 * The command {@code berth}: its main class, the small subcommands, and the handling of failures. Queries, lists, the
 * migration and the demo have packages of their own ({@code ask}, {@code list}, {@code migration}, {@code demo}).
 *
 * <p>Entry point: {@link io.berth.deploy.command.BerthMain}. Calls the services only over HTTP: must not depend on
 * their code.
 */
package io.berth.deploy.command;
