/**
 * JSON bodies that more than one route takes, read strictly: {@link io.berth.scheduler.body.RequestSpecBody}. Every
 * complaint names the path of the member. Must not decide anything.
 */
package io.berth.scheduler.body;
