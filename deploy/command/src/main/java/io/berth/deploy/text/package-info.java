/**
 * Prints lists and records as tables, JSON, YAML, CSV or plain values: {@link io.berth.deploy.text.Listing}.
 */
package io.berth.deploy.text;
