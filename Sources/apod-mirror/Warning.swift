import Platform

/// Prints a problem that does not end the command, on standard error: `apod-mirror: 2026-11-20 is left out: …`.
func warn(_ problem: String) { StandardStream.error.write("apod-mirror: \(problem)\n") }
