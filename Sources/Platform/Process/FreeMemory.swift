internal import CLinux

/// Limits the free memory that malloc(3) keeps for later, so that an idle daemon is small.
///
/// A thread that has started before has a heap of its own, for which the limits do not hold.
func limitFreeMemory() {
    // With one heap, threads that make pages of the gallery would wait for each other.
    let (heaps, freeBytesOfHeap): (CInt, CInt) = (2, 128 << 10)
    // Larger blocks are outside of the heaps, and return to the system when they are freed.
    let largestBlockInHeap: CInt = 64 << 10
    clinux_limit_memory(heaps, largestBlockInHeap, freeBytesOfHeap)
}

/// Returns free memory of malloc(3) to the system, see malloc_trim(3); this takes about a millisecond.
package func returnFreeMemory() {
    clinux_malloc_trim()
}
