/**
 * Reads JSON bodies that several routes take, strictly: {@link io.berth.scheduler.body.RequestSpecBody}. Every error
 * has the path of the member. This package must not decide anything.
 */
package io.berth.scheduler.body;
