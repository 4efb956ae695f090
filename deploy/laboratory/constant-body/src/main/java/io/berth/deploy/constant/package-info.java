/**
 * A server on placement's HTTP stack (Quarkus REST) with one route that responds with constant bytes.
 * {@code deploy/bench} measures this server to know the highest rate that placement could reach.
 *
 * <p>Entry point: {@link io.berth.deploy.constant.ConstantBodyMain}. This module depends on no other module of Berth.
 */
package io.berth.deploy.constant;
