internal import Platform

/// Responds to requests from the catalog, with pending faults.
final class Responder: Sendable {
    let catalog: Monitor<Catalog>
    let faults = Monitor(FaultPlan())
    let log = RequestLog()
    let held = HeldRequests()
    let settings: Simulator.Settings
    private let classicMirror: Catalog

    init(_ archive: Archive, settings: Simulator.Settings) {
        catalog = Monitor(Catalog(archive))
        self.settings = settings
        classicMirror = Catalog(settings.classicMirror)
    }

    /// The response, `nil` to close the connection; may block.
    func response(to request: SimulatedRequest) -> SimulatedResponse? {
        let fault = faults.withLock { $0.take(for: request) }
        switch fault {
        case .refuse?: return nil
        case .hang? where !held.hold(): return nil
        default: return router(for: request).response(to: request, with: fault)
        }
    }

    private func router(for request: SimulatedRequest) -> Router {
        // The simulator uses the host name of the request.
        let catalog = catalog.withLock { $0 }
        // It copies what NASA publishes.
        var mirror = classicMirror
        mirror.newest = catalog.newest
        return Router(
            origin: "http://\(request.headers["host"] ?? "127.0.0.1")", catalog: catalog,
            classicMirror: mirror, settings: settings)
    }
}
