/**
 * What public clouds are asked for: sizes of virtual machines, how long they live, how many are wanted at once.
 *
 * <p>Start with {@link io.berth.deploy.load.life.Cloud}. Pure: all randomness is passed in. Depends on nothing.
 */
package io.berth.deploy.load.life;
