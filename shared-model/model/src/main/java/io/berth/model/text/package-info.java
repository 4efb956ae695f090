/**
 * Suggestions for misspelt names ({@link io.berth.model.text.NearNames}), and parsers of a uuid's text ({@link
 * io.berth.model.text.UuidForm}). Pure.
 */
package io.berth.model.text;
