/**
 * Suggestions for misspelt names ({@link io.berth.model.text.NearNames}), parsers of a uuid's text ({@link
 * io.berth.model.text.UuidForm}), and text for people: lines, tables and bars of less than 100 columns ({@link
 * io.berth.model.text.PlainText}). Pure.
 */
package io.berth.model.text;
