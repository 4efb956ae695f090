package io.berth.scheduler.numa.constraint;

import io.berth.scheduler.numa.FlavorAndImage;
import io.berth.scheduler.numa.PageSize;
import io.berth.scheduler.text.BooleanText;
import io.berth.scheduler.text.DerivedValue;
import io.berth.scheduler.text.Violations;
import jakarta.annotation.Nullable;

/**
 * Reads the page size that a flavor and an image request. Checks that locked memory is only requested together with a
 * page size, and that flavor and image do not contradict each other about it.
 * <br>Source: nova {@code virt/hardware.py} (get_locked_memory_constraint and the page size constraint).
 */
final class MemoryConstraints {
    private MemoryConstraints() {}

    /** Returns the page size in KiB, or a code of {@link PageSize}; a null value if no page size or 0 is requested. */
    static DerivedValue<Integer> pageSize(FlavorAndImage request) {
        var violations = new Violations();
        String flavor = request.flavor("hw:mem_page_size");
        String image = request.image("hw_mem_page_size");
        Integer size = pageSize(flavor, image, violations);
        checkLocking(request, flavor != null || image != null, violations);
        return violations.orValue(size == null || size == 0 ? null : size);
    }

    private static @Nullable Integer pageSize(
            @Nullable String flavor, @Nullable String image, Violations violations) {
        if (flavor == null) {
            if (image != null) {
                violations.add("hw_mem_page_size of the image needs hw:mem_page_size in the flavor");
            }
            return null;
        }
        Integer size = violations.valueOf(PageSize.parse(flavor));
        if (size == null || image == null) {
            return size;
        }
        if (size != PageSize.ANY && size != PageSize.LARGE) {
            violations.add("hw_mem_page_size of the image needs hw:mem_page_size any or large in the flavor");
            return size;
        }
        return violations.valueOf(PageSize.parse(image));
    }

    private static void checkLocking(FlavorAndImage request, boolean hasPageSize, Violations violations) {
        String flavor = request.extraSpecs().get("hw:locked_memory");
        String image = request.image("hw_locked_memory");
        boolean isLocked = BooleanText.isTrue(flavor != null ? flavor : image);
        if (flavor != null && image != null && isLocked != BooleanText.isTrue(image)) {
            violations.add("hw:locked_memory of the flavor and hw_locked_memory of the image differ");
        }
        if (isLocked && !hasPageSize) {
            violations.add("locked memory needs hw:mem_page_size");
        }
    }
}
