/**
 * Ends what is registered of instances. An instance is registered as long as it holds something in placement: whoever
 * gives its allocations up, its registration goes. Start at {@link io.berth.scheduler.departure.Departures}, which
 * learns of that, and {@link io.berth.scheduler.departure.InstanceDeletion}, which is asked for both at once. An instance
 * that somebody registered and that was never seen to hold anything stays. Must not know hosts or decisions.
 */
package io.berth.scheduler.departure;
