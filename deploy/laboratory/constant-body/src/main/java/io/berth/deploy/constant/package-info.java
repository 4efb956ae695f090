/**
 * What placement's HTTP stack can serve at most: one route that answers bytes made at start.
 *
 * <p>Start with {@link io.berth.deploy.constant.ConstantBodyEndpoint}. Depends on nothing of Berth.
 */
package io.berth.deploy.constant;
