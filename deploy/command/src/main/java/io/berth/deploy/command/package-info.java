/**
 * The command {@code berth}: its main class, the small subcommands, and the handling of failures. The packages {@code
 * analysis}, {@code list}, {@code migration} and {@code demo} have the other subcommands.
 *
 * <p>Entry point: {@link io.berth.deploy.command.BerthMain}. The command calls the services only over HTTP, and must
 * not depend on their code. Only import and export can also read a database, that of an OpenStack Placement.
 */
package io.berth.deploy.command;
