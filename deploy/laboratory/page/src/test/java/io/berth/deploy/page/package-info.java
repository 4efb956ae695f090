/**
 * Tests the operator's page in a real browser, on packaged services. {@code deploy/test/page} runs them; start with
 * {@link io.berth.deploy.page.PageIT}.
 */
package io.berth.deploy.page;
