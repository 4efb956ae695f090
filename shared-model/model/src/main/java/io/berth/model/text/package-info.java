/**
 * Which known name somebody may have meant by another: {@link io.berth.model.text.NearNames}. What the text of a uuid says:
 * {@link io.berth.model.text.UuidForm}. Pure.
 */
package io.berth.model.text;
