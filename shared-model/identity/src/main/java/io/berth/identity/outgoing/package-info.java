/**
 * How a service names itself to another: {@link io.berth.identity.outgoing.Credentials}, fixed or renewed before they
 * run out.
 */
package io.berth.identity.outgoing;
