// The benchmarks are built with the static standard library, which comes without Testing.
#if canImport(Testing)
    internal import Platform
    package import Testing

    /// Watches of directories, which one suite of this process uses at a time.
    ///
    /// libinotifytools has one instance per process.
    package struct Turn: SuiteTrait, TestScoping {
        private static let semaphore = AsyncSemaphore(1)

        @concurrent package func provideScope(
            for test: Test, testCase: Test.Case?,
            performing function: @concurrent @Sendable () async throws -> Void
        ) async throws {
            let permit = try await Self.semaphore.waitForPermit()
            defer { permit.release() }
            try await function()
        }
    }

    extension Trait where Self == Turn {
        package static var watching: Turn { Turn() }
    }
#endif
