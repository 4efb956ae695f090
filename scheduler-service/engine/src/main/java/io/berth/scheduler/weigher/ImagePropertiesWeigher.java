package io.berth.scheduler.weigher;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.RunningInstance;
import io.berth.scheduler.request.ImageProperties;
import io.berth.scheduler.request.ImageReading;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.Constant;
import io.berth.scheduler.spi.ExactingWeigher;
import io.berth.scheduler.text.ValueText;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The raw value is the number of properties, weighted as configured, that the request's image has in common with the
 * image of an instance, summed over the instances on the host. A positive multiplier prefers hosts whose instances have
 * similar images. The request fails if the properties of an instance's image cannot be read.
 *
 * <p>Options: {@code image_props_weight_multiplier} (default 0, which disables the weigher even if an aggregate sets
 * another multiplier), {@code image_props_weight_setting} (the weight of each property; a property that is not listed
 * counts as 0; if empty, each property counts as 1).
 * <br>Differs from nova: if Berth replaces nova-scheduler, the weigher has no effect, because Berth does not read the
 * images of instances.
 * <br>Source: nova {@code scheduler/weights/image_props.py}.
 */
@Singleton
public final class ImagePropertiesWeigher extends OptionWeigher implements ExactingWeigher {
    public ImagePropertiesWeigher() {
        super("image_props_weight_multiplier", Options.Weights::imageProps);
    }

    @Override
    public @Nullable String obstacle(HostState host, RequestSpec spec, Options options) {
        if (isOff(options)) {
            return null;
        }
        for (RunningInstance instance : host.instances().values()) {
            if (instance.image() instanceof ImageReading.Unreadable(String detail)) {
                return "an instance on the host: " + detail;
            }
        }
        return null;
    }

    private static boolean isOff(Options options) {
        return options.filterScheduler().weights().imageProps() == 0;
    }

    /**
     * Returns the sum of the weights of the properties that are equal in both images. A property without a configured
     * weight counts as 0; if no property has one, each counts as 1.
     */
    private static double weightInCommon(ImageProperties requested, ImageProperties present,
            Map<String, Double> weightByProperty) {
        double sum = 0;
        for (Map.Entry<String, Object> property : present.values().entrySet()) {
            Object requestedValue = requested.find(property.getKey());
            if (requestedValue != null && ValueText.of(requestedValue).equals(ValueText.of(property.getValue()))) {
                sum += weightByProperty.isEmpty() ? 1 : weightByProperty.getOrDefault(property.getKey(), 0.0);
            }
        }
        return sum;
    }

    @Override
    public double raw(HostState host, RequestSpec spec, Options options) {
        return prepare(spec, options).applyAsDouble(host);
    }

    @Override
    public ToDoubleFunction<HostState> prepare(RequestSpec spec, Options options) {
        if (isOff(options)) {
            return Constant.ZERO;
        }
        Map<String, Double> weightByProperty = new HashMap<>();
        options.filterScheduler().imagePropsWeightSetting().entries()
                .forEach(entry -> weightByProperty.put(entry.name(), entry.number()));
        return host -> {
            double sum = 0;
            for (RunningInstance instance : host.instances().values()) {
                if (instance.image() instanceof ImageReading.Read(ImageProperties properties)) {
                    sum += weightInCommon(spec.imageProperties(), properties, weightByProperty);
                }
            }
            return sum;
        };
    }
}
