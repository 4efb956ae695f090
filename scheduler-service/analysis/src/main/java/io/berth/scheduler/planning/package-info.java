/**
 * Finds hosts for instances that leave theirs one after the other. {@link io.berth.scheduler.planning.Drains} plans the
 * emptying of hosts on a copy of the cloud; each move is one that {@code POST /v1/moves} would make. Makes no move.
 */
package io.berth.scheduler.planning;
