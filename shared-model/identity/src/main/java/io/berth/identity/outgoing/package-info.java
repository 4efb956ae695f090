/**
 * The credentials of a service towards another: {@link io.berth.identity.outgoing.Credentials}, fixed or renewed before
 * they expire.
 */
package io.berth.identity.outgoing;
