/**
 * Names that a misspelt one may stand for: {@link io.berth.model.text.NearNames}; the forms of a uuid's text: {@link
 * io.berth.model.text.UuidForm}. Pure.
 */
package io.berth.model.text;
