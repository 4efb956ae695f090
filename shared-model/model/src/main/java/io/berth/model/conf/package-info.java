/** The files that configure OpenStack's services, as text: {@link io.berth.model.conf.OsloConf}. Knows no option. */
package io.berth.model.conf;
