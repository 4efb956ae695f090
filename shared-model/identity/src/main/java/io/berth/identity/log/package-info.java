/** Log lines: each one is a single line. Entry point: {@link io.berth.identity.log.OneLine}. */
package io.berth.identity.log;
