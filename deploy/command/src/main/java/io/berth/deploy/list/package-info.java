/**
 * {@code berth host|decision|instance|group list|show} and {@code berth status}: records of the scheduler in the forms
 * of {@link io.berth.deploy.text.Listing}.
 */
package io.berth.deploy.list;
