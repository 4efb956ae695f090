package io.berth.scheduler.filter;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.Verdict;
import jakarta.inject.Singleton;

/**
 * Accepts only isolated hosts for isolated images. For other images, and for requests without an image, accepts by
 * default only hosts that are not isolated.
 *
 * <p>Options: {@code isolated_images} (ids), {@code isolated_hosts} (names, compared exactly), {@code
 * restrict_isolated_hosts_to_isolated_images} (default true).
 * <br>Source: nova {@code scheduler/filters/isolated_hosts_filter.py}.
 */
@Singleton
public final class IsolatedHostsFilter implements InsensitiveFilter {
    private static final Verdict IMAGE_ISOLATED =
            Verdict.reject("image_isolated", "image is isolated, host is not", "isolated", "open");
    private static final Verdict HOST_ISOLATED =
            Verdict.reject("host_isolated", "host is isolated, image is not", "open", "isolated");

    @Override
    public boolean runsOnRebuild() {
        return true;
    }

    @Override
    public Verdict check(HostState host, RequestSpec spec, Options options) {
        Options.FilterScheduler configured = options.filterScheduler();
        boolean hostIsolated = configured.isolatedHosts().contains(host.host());
        boolean restricted = configured.restrictIsolatedHostsToIsolatedImages();
        boolean imageIsolated = spec.image() != null
                && spec.image().id() != null
                && configured.isolatedImages().contains(spec.image().id());
        if (imageIsolated && !hostIsolated) {
            return IMAGE_ISOLATED;
        }
        return restricted && hostIsolated && !imageIsolated ? HOST_ISOLATED : Verdict.PASS;
    }
}
