extension Operation {
    /// Whether the outcome is independent of concurrent scans.
    ///
    /// A link through `latest.*` keeps the day that a scan recorded for its name.
    package func isSteady(in world: World) -> Bool {
        switch self {
        case .make(.link(.latest), _), .replace(.latest, _): false
        case .make(let thing, let path): thing.isSteady && path != "favorites"
        case .replace(let target, let path): target.isSteady && path != "favorites"
        case .makeDirectory(let path), .remove(let path): path != "favorites"
        case .rename(let old, let new): old != "favorites" && new != "favorites"
        case .exchange(_, let other): world.disk[other]?.isFolder == true
        default: false
        }
    }

    /// Whether it is possible while another process writes the mirror.
    ///
    /// Without a directory, the time at which a request is executed is unknown.
    package func isStep(in world: World) -> Bool {
        switch self {
        case .requestForget: world.disk["favorites"]?.isFolder == true
        case .make(let thing, _): thing.isSteady
        case .replace(let target, _): target.isSteady
        case .restart, .reboot, .scan, .scanWithout, .loseRecord, .losePicture, .exchange: false
        default: true
        }
    }

    /// Whether inotify reports an event.
    package var causesEvent: Bool {
        switch self {
        case .make, .replace, .makeDirectory, .remove, .rename, .exchange: true
        default: false
        }
    }
}

extension Thing {
    fileprivate var isSteady: Bool {
        switch self {
        case .link(let target): target.isSteady
        case .file(.edited, _): false
        default: true
        }
    }
}

extension Target {
    fileprivate var isSteady: Bool {
        if case .neighbour = self { false } else { true }
    }
}
