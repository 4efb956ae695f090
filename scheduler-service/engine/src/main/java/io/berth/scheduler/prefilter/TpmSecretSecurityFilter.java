package io.berth.scheduler.prefilter;

import io.berth.scheduler.request.demand.PlacementRequest;
import io.berth.scheduler.request.query.FlavorImageProperty;
import io.berth.scheduler.spi.PrefilterInputs;
import io.berth.scheduler.spi.PrefilterResult;
import io.berth.scheduler.spi.RequestPrefilter;
import java.util.Locale;
import java.util.Set;

/**
 * Requires the trait for the mode in which the secret of a virtual TPM is stored, if the flavor or the image requests a
 * virtual TPM. The flavor states the mode in {@code hw:tpm_secret_security}: user (the default), host or deployment.
 * With any other value, the request is refused.
 *
 * <p>Option: {@code berth.scheduler.require-tpm-secret-security}, default true.
 * <br>Differs from nova: nova releases that are older than this trait lack the prefilter; here an option disables it.
 */
final class TpmSecretSecurityFilter implements RequestPrefilter {
    private static final Set<String> SECURITIES = Set.of("user", "host", "deployment");

    @Override
    public PrefilterResult apply(PlacementRequest request, PrefilterInputs inputs) {
        if (!inputs.options().requireTpmSecretSecurity()) {
            return new PrefilterResult.Continue(request);
        }
        return PrefilterResult.of(FlavorImageProperty.text(request.flavorAndImage(), "tpm_version"), version -> {
            if (version == null) {
                return new PrefilterResult.Continue(request);
            }
            String statedSecurity = request.flavorAndImage().flavor("hw:tpm_secret_security");
            String security = statedSecurity == null ? "user" : statedSecurity;
            return SECURITIES.contains(security)
                    ? PrefilterResult.requireOnRoot(
                            request,
                            Set.of("COMPUTE_SECURITY_TPM_SECRET_SECURITY_" + security.toUpperCase(Locale.ROOT)))
                    : new PrefilterResult.Refused("hw:tpm_secret_security must be user, host or deployment");
        });
    }
}
