package io.berth.scheduler.request;

/**
 * Marks filters and weighers whose answer is a function of the host state, the options and the
 * {@linkplain RequestSpec#shape() shape} of the request alone: no clock, no randomness, no state, nothing read
 * elsewhere. What they said of a host is kept and holds for the next request of the same shape while the host stays the
 * same. They are handed the shape in the request's place, so that they cannot read more of it.
 *
 * <p>Whatever does not bear this mark is asked for every host of every request.
 */
public interface Repeatable {}
