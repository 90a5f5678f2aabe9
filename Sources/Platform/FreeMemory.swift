internal import CLinux

/// Gives back to the system what malloc(3) keeps for later: worth its millisecond after something large.
///
/// See malloc_trim(3).
package func returnFreeMemory() {
    clinux_trim()
}

/// Gives back all memory that is not needed to sleep: free memory, and the program's code.
///
/// What is needed of the code later comes back from the page cache, in a fraction of a millisecond.
/// Most of it was needed at the start alone: see dl_iterate_phdr(3), and `MADV_DONTNEED` in madvise(2).
package func returnUnusedMemory() {
    clinux_trim()
    clinux_drop_code()
}
