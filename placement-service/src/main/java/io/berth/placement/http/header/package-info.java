/** Headers of requests that are more than a word: which form of answer is accepted, and which page of a browser may call. */
package io.berth.placement.http.header;
