// The benchmarks are built with the static standard library, which comes without Testing.
#if canImport(Testing)
    package import Testing

    /// A resource that one suite of this process uses at a time.
    ///
    /// libinotifytools has one instance per process.
    package struct Turn: SuiteTrait, TestScoping {
        let line: Line

        @concurrent package func provideScope(
            for test: Test, testCase: Test.Case?,
            performing function: @concurrent @Sendable () async throws -> Void
        ) async throws {
            await line.enter()
            defer { line.leave() }
            try await function()
        }
    }

    extension Trait where Self == Turn {
        package static var watching: Turn { Turn(line: .watching) }
    }
#endif
