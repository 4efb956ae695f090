/**
 * The operator's page in a real browser, on packaged services. Run by deploy/test/page; see {@link
 * io.berth.deploy.page.PageIT}.
 */
package io.berth.deploy.page;
