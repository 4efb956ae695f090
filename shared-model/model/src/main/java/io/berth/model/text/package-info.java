/** Which known name somebody may have meant by another: {@link io.berth.model.text.NearNames}. Pure. */
package io.berth.model.text;
