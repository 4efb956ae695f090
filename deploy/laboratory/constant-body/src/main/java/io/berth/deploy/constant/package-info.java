/**
 * Measures the limit of placement's HTTP stack: one route that responds with bytes created at start.
 *
 * <p>Start with {@link io.berth.deploy.constant.ConstantBodyEndpoint}. Depends on nothing of Berth.
 */
package io.berth.deploy.constant;
