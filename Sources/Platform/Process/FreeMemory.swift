internal import CLinux

/// Gives back to the system what malloc(3) keeps for later: worth its millisecond after something large.
///
/// See malloc_trim(3).
package func returnFreeMemory() {
    clinux_trim()
}
