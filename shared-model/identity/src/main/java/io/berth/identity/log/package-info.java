/** What every log line must be: one line. Entry point: {@link io.berth.identity.log.OneLine}. */
package io.berth.identity.log;
