package io.berth.scheduler.numa.fitting;

/**
 * Iterates in lexicographic order over all assignments of instance cells to positions of host cells in which no
 * position is used twice. Mutable: holds the current assignment.
 */
final class CellAssignments {
    private final int[] positions;
    private final boolean[] takenPositions;

    /**
     * Starts at the first assignment, which is the positions 0, 1, 2 and so on.
     *
     * @param total number of host cells
     * @param chosen number of instance cells, at most {@code total}
     */
    CellAssignments(int total, int chosen) {
        positions = new int[chosen];
        takenPositions = new boolean[total];
        fillFrom(0);
    }

    /** Returns the position to which the instance cell with this index is assigned. */
    int position(int index) {
        return positions[index];
    }

    /**
     * Moves to the next assignment that differs within the first {@code prefix} instance cells. Returns false if none
     * exists.
     */
    boolean advance(int prefix) {
        for (int index = positions.length - 1; index >= 0; index--) {
            takenPositions[positions[index]] = false;
            if (index < prefix) {
                int next = nextFree(positions[index] + 1);
                if (next < takenPositions.length) {
                    place(index, next);
                    fillFrom(index + 1);
                    return true;
                }
            }
        }
        return false;
    }

    private void fillFrom(int index) {
        for (int each = index; each < positions.length; each++) {
            place(each, nextFree(0));
        }
    }

    private void place(int index, int position) {
        positions[index] = position;
        takenPositions[position] = true;
    }

    private int nextFree(int from) {
        int position = from;
        while (position < takenPositions.length && takenPositions[position]) {
            position++;
        }
        return position;
    }
}
