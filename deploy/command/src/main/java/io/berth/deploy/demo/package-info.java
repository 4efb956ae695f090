/**
 * The tour of {@code deploy/up --demo}: a fleet loaded through both APIs, its ratio raised, instances placed on it with
 * the reasons, a request that fits nowhere with what would help, and a race for one host.
 *
 * <p>Entry point: {@link io.berth.deploy.demo.DemoCommand}. Uses HTTP like any other client: depends on no other module
 * of Berth.
 */
package io.berth.deploy.demo;
