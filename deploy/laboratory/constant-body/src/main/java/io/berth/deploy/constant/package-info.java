/**
 * A server on placement's HTTP stack (Quarkus REST) with one route that responds with constant bytes.
 * {@code deploy/bench} measures it to know the rate that placement could reach at most.
 *
 * <p>Entry point: {@link io.berth.deploy.constant.ConstantBodyMain}. Depends on no other module of Berth.
 */
package io.berth.deploy.constant;
