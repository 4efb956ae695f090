/**
 * Lists and moments in the JSON that both services write.
 */
package io.berth.json;
