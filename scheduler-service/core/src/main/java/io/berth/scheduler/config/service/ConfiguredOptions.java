package io.berth.scheduler.config.service;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.identity.StartRefusal;
import io.berth.identity.option.UnknownKeys;
import io.berth.model.text.NearNames;
import io.berth.scheduler.config.OptionInvalid;
import io.berth.scheduler.config.OptionNames;
import io.berth.scheduler.config.OptionSource;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.pci.PciAliases;
import io.berth.scheduler.text.DerivedValue;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Nullable;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigValue;
import org.jboss.logging.Logger;

/** The options of the running service: read and checked once at start, constant afterwards. */
@Singleton
public class ConfiguredOptions {
    private static final Logger LOG = Logger.getLogger(ConfiguredOptions.class);
    private static final String PREFIX = "BERTH_SCHEDULER_";
    /**
     * Environment variables that Kubernetes sets in all pods of the namespace for a Service named berth-scheduler; they
     * are not options.
     */
    private static final Pattern SERVICE_LINK =
            Pattern.compile(PREFIX + "(SERVICE_HOST|SERVICE_PORT(_\\w+)?|PORT(_\\w+)?)");
    /**
     * True if queries require the trait OWNER_NOVA of providers. If unset, queries require it once all of nova's
     * computes have version 73 or newer, according to nova's databases.
     * <br>Default: unset
     */
    private static final String OWNER_KEY = "berth.scheduler.require-owner-nova";
    /**
     * True if a query for a virtual TPM also requires the trait of its model ({@code COMPUTE_SECURITY_TPM_TIS},
     * {@code …_CRB}); false for a nova whose computes do not have it.
     * <br>Default: true
     */
    private static final String TPM_MODEL_KEY = "berth.scheduler.require-tpm-model";
    /**
     * True if a query for a virtual TPM also requires the trait of the place that stores its secret
     * ({@code COMPUTE_SECURITY_TPM_SECRET_SECURITY_USER}, {@code …_HOST}, {@code …_DEPLOYMENT}); false for a nova
     * whose computes do not have it.
     * <br>Default: true
     */
    private static final String TPM_SECRET_KEY = "berth.scheduler.require-tpm-secret-security";
    /**
     * True if a request is refused that names an unknown zone, server group, aggregate, trait or resource class. nova
     * accepts such a request; so does Berth where it replaces nova-scheduler ({@code berth.nova.transport-url}), unless
     * this is set to true.
     * <br>Default: true
     */
    private static final String STRICT_KEY = "berth.scheduler.strict-names";
    /** The key of the interval at which the capacity for watched requests is counted. */
    private static final String INTERVAL_KEY = "berth.scheduler.capacity.interval";
    /** Keys with the scheduler's prefix that {@code record.RecordOptions} reads. */
    private static final Set<String> KEYS_READ_ELSEWHERE =
            Set.of("berth.scheduler.decisions.keep", "berth.scheduler.decisions.max");
    /** The first service version of nova-compute that sets the trait OWNER_NOVA on its providers. */
    private static final int OWNER_NOVA_SINCE = 73;
    /** Options whose values responses replace by three stars. */
    private static final Set<String> SECRETS = Set.of("attestation_auth_blob");
    /** Priority of the start observer, which runs before all others. */
    private static final int FIRST = 1;

    private final Config config;
    private final Options options;
    private final Optional<Boolean> requireOwnerNova;
    private final boolean requireTpmModel;
    private final boolean requireTpmSecretSecurity;
    private final boolean strictNames;
    private final List<EffectiveOption> effective;

    ConfiguredOptions(Config config) {
        this.config = config;
        var effectiveOptions = new ArrayList<EffectiveOption>();
        this.options = parse(effectiveOptions);
        this.requireOwnerNova = config.getOptionalValue(OWNER_KEY, Boolean.class);
        effectiveOptions.add(effectiveFlag("require_owner_nova", OWNER_KEY, requireOwnerNova.orElse(null)));
        this.requireTpmModel = flag("require_tpm_model", TPM_MODEL_KEY, true, effectiveOptions);
        this.requireTpmSecretSecurity = flag("require_tpm_secret_security", TPM_SECRET_KEY, true, effectiveOptions);
        this.strictNames = flag("strict_names", STRICT_KEY, !replacesNovaScheduler(config), effectiveOptions);
        effectiveOptions.sort(Comparator.comparing(EffectiveOption::group).thenComparing(EffectiveOption::name));
        this.effective = List.copyOf(effectiveOptions);
        refuseUnknownKeys(config);
    }

    private static boolean replacesNovaScheduler(Config config) {
        return config.getOptionalValue("berth.nova.transport-url", String.class).isPresent();
    }

    /**
     * Creates the bean at start instead of at its first use, so that an invalid value stops the service at start. Also
     * refuses unknown keys, and logs how many options of nova.conf are ignored.
     */
    void start(@Observes @Priority(FIRST) StartupEvent starting) {
        UnknownKeys.refuse("scheduler", config);
        config.getOptionalValue(NovaConfSource.PATH_KEY, String.class).ifPresent(path -> LOG.infof(
                "nova.conf read path=%s options_ignored=%d",
                path, NovaConfSource.read(path).ignored()));
    }

    @Produces
    @Singleton
    public Options options() {
        return options;
    }

    /**
     * Returns whether queries require the trait OWNER_NOVA of providers.
     * <br>Source: nova {@code scheduler/request_filter.py} (owner_nova_filter).
     *
     * @param minComputeVersion lowest service version among nova's compute services; 0 if unknown
     */
    public boolean requireOwnerNova(int minComputeVersion) {
        return requireOwnerNova.orElse(minComputeVersion >= OWNER_NOVA_SINCE);
    }

    /** Returns whether a query for a virtual TPM also requires the trait of the TPM's model. */
    public boolean requireTpmModel() {
        return requireTpmModel;
    }

    /** Returns whether a query for a virtual TPM also requires the trait of the place that stores the TPM's secret. */
    public boolean requireTpmSecretSecurity() {
        return requireTpmSecretSecurity;
    }

    /** Returns whether a request that names an unknown zone, group, aggregate, trait or class is refused with 400. */
    public boolean strictNames() {
        return strictNames;
    }

    /** Returns every option with its value and source, sorted by group and name. */
    public List<EffectiveOption> effective() {
        return effective;
    }

    /** Returns an option with its source: the option's own key, or else the key of an older name of the option. */
    private EffectiveOption effective(String group, String name, @Nullable Object value) {
        EffectiveOption.Source source = source(OptionSource.key(group, name));
        for (String olderName : OptionNames.olderNames(group, name)) {
            source = source == EffectiveOption.Source.DEFAULT
                    ? source(OptionSource.key("DEFAULT", olderName))
                    : source;
        }
        Object shown = value != null && SECRETS.contains(name) ? "***" : value;
        return new EffectiveOption(group, name, OptionSource.key(group, name), shown, source);
    }

    /**
     * Reads a boolean option that nova does not have.
     *
     * @param defaultValue the default
     * @param effectiveOptions the list to which the option is added
     */
    private boolean flag(String name, String key, boolean defaultValue, List<EffectiveOption> effectiveOptions) {
        boolean value = config.getOptionalValue(key, Boolean.class).orElse(defaultValue);
        effectiveOptions.add(effectiveFlag(name, key, value));
        return value;
    }

    /** @param value null if the option is unset and has no default */
    private EffectiveOption effectiveFlag(String name, String key, @Nullable Boolean value) {
        return new EffectiveOption("berth", name, key, value, source(key));
    }

    private EffectiveOption.Source source(String key) {
        ConfigValue configValue = config.getConfigValue(key);
        if (configValue.getValue() == null) {
            return EffectiveOption.Source.DEFAULT;
        }
        return NovaConfSource.isNamed(configValue.getSourceName())
                ? EffectiveOption.Source.NOVA_CONF
                : EffectiveOption.Source.BERTH;
    }

    /**
     * Returns the options with some values replaced. Throws {@link OptionInvalid} for an invalid value.
     *
     * @param replacements the new values: options of the group filter_scheduler as members, each other group as an
     *     object
     */
    public Options with(JsonNode replacements) {
        return Options.parse(OptionSource.over(OptionSource.ofJson(replacements), OptionSource.ofText(this::find)));
    }

    private @Nullable String find(String key) {
        return config.getOptionalValue(key, String.class).orElse(null);
    }

    private Options parse(List<EffectiveOption> effectiveOptions) {
        try {
            Options parsed = Options.parse(OptionSource.ofText(
                    this::find,
                    (group, name, value) -> effectiveOptions.add(effective(group, name, value))));
            if (parsed.pci().alias() instanceof DerivedValue.Refused<PciAliases>(String why)) {
                throw new OptionInvalid("pci", "alias", "cannot be used: " + why);
            }
            return parsed;
        } catch (OptionInvalid invalid) {
            String key = invalid.group() == null
                    ? "berth.scheduler." + invalid.option()
                    : OptionSource.key(invalid.group(), invalid.option());
            throw StartRefusal.because(key + " " + invalid.getMessage());
        }
    }

    /**
     * Refuses a key with the scheduler's prefix that no option has. Compares keys as names of environment variables,
     * because a key may be set in either form.
     */
    private static void refuseUnknownKeys(Config config) {
        Map<String, String> keyByVariable = new HashMap<>();
        Stream.concat(
                Stream.concat(Stream.of(OWNER_KEY, TPM_MODEL_KEY, TPM_SECRET_KEY, STRICT_KEY, INTERVAL_KEY),
                        KEYS_READ_ELSEWHERE.stream()),
                OptionNames.byGroup().entrySet().stream().flatMap(group -> group.getValue().stream()
                        .map(option -> OptionSource.key(group.getKey(), option))))
                .forEach(key -> keyByVariable.put(UnknownKeys.variableName(key), key));
        for (String name : config.getPropertyNames()) {
            String variable = UnknownKeys.variableName(name);
            if (variable.startsWith(PREFIX)
                    && !keyByVariable.containsKey(variable)
                    && !SERVICE_LINK.matcher(variable).matches()) {
                String nearest = NearNames.nearest(variable, keyByVariable.keySet())
                        .map(keyByVariable::get)
                        .orElse(STRICT_KEY);
                throw StartRefusal.because(name + " is not an option of the scheduler: did you mean " + nearest + "?");
            }
        }
    }
}
