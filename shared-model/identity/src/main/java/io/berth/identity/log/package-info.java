/**
 * Contains the logs of requests ({@link io.berth.identity.log.RequestLog}) and of operators' changes
 * ({@link io.berth.identity.log.ChangeLog}), and the filter that keeps the message of each record on a single line
 * ({@link io.berth.identity.log.OneLine}).
 */
package io.berth.identity.log;
