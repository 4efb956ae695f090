/**
 * What {@code deploy/up --demo} shows: a small fleet loaded through the Placement API, instances scheduled on it
 * through the scheduler, and a request that fits nowhere with its reason.
 *
 * <p>Entry point: {@link io.berth.deploy.demo.DemoMain}. Talks HTTP like any other client: depends on no other
 * module of Berth.
 */
package io.berth.deploy.demo;
