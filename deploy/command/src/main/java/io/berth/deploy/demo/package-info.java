/**
 * The tour of {@code deploy/up --demo}: loads a fleet through both APIs, raises its allocation ratio, places instances
 * and explains the decisions, shows a request that fits nowhere and the change that admits it, and sends concurrent
 * claims to one host.
 *
 * <p>Entry point: {@link io.berth.deploy.demo.DemoCommand}. This package calls the services only over HTTP, and must
 * not depend on their code.
 */
package io.berth.deploy.demo;
