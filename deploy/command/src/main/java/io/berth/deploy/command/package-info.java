/**
 * The command {@code berth}: its subcommands, and what becomes of their failures. Subcommands of some size are packages of
 * their own beside it ({@code ask}, {@code migration}, {@code demo}).
 *
 * <p>Entry point: {@link io.berth.deploy.command.BerthMain}. Speaks HTTP like any other client: must not depend on a
 * service.
 */
package io.berth.deploy.command;
