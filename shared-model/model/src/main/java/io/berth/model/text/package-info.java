/**
 * Texts: names that a misspelt one may stand for ({@link io.berth.model.text.NearNames}), the forms of a uuid ({@link
 * io.berth.model.text.UuidForm}), and text for people: lines, tables and bars of less than 100 columns ({@link
 * io.berth.model.text.PlainText}). Pure.
 */
package io.berth.model.text;
