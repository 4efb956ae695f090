/**
 * Lists, moments and numbers in the JSON that both services write.
 */
package io.berth.json;
