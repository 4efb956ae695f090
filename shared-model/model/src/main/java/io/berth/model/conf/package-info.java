/**
 * Parses configuration files of OpenStack's services: {@link io.berth.model.conf.OsloConf}. Does not know which options
 * exist.
 */
package io.berth.model.conf;
