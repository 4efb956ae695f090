/**
 * A model of the requests to public clouds, from published statistics: sizes of virtual machines, their lifetimes, and
 * how many are requested at once. The situations of the load generator draw from this model.
 *
 * <p>Entry point: {@link io.berth.deploy.load.life.Cloud}. Callers pass in the random generator. This package depends
 * on no other package of Berth.
 */
package io.berth.deploy.load.life;
