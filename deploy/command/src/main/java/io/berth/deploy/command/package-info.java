/**
 * The command {@code berth}: its subcommands, and the handling of their failures. Larger subcommands have packages of
 * their own ({@code ask}, {@code migration}, {@code demo}).
 *
 * <p>Entry point: {@link io.berth.deploy.command.BerthMain}. Uses HTTP like any other client: must not depend on a
 * service.
 */
package io.berth.deploy.command;
