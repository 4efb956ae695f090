/**
 * Text helpers of both services and of the command {@code berth}: suggestions for misspelled names ({@link
 * io.berth.model.text.NearNames}), parsers of uuids ({@link io.berth.model.text.UuidForm}), and text for people: lines,
 * tables and bars of less than 100 columns ({@link io.berth.model.text.PlainText}). Pure.
 */
package io.berth.model.text;
