internal import CLinux

/// Limits the free memory that malloc(3) keeps for later, so that an idle daemon is small.
///
/// Call this before any thread starts: a thread that has started before has a heap of its own, which is not limited.
func limitFreeMemory() {
    // With one heap, threads that make pages of the gallery would wait for each other.
    let heaps: CInt = 2
    let freeBytesOfHeap: CInt = 128 << 10
    // Larger blocks are outside of the heaps, and return to the system when they are freed.
    let largestBlockInHeap: CInt = 64 << 10
    clinux_limit_memory(heaps, largestBlockInHeap, freeBytesOfHeap)
}

/// Returns free memory of malloc(3) to the system, see malloc_trim(3); this takes about a millisecond.
package func returnFreeMemory() {
    clinux_malloc_trim()
}
