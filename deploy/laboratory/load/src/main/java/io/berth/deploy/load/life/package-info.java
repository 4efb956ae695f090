/**
 * Requests to public clouds: sizes of virtual machines, their lifetimes, and how many are requested at once.
 *
 * <p>Start with {@link io.berth.deploy.load.life.Cloud}. Pure: all randomness is passed in. Depends on nothing.
 */
package io.berth.deploy.load.life;
