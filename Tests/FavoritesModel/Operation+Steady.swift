extension Operation {
    /// Whether the outcome is the same however often somebody looks meanwhile.
    package func isSteady(in world: World) -> Bool {
        switch self {
        case .make(let thing, let path): thing.isSteady && path != "favorites"
        case .replace(let target, let path): target.isSteady && path != "favorites"
        case .makeDirectory(let path), .remove(let path): path != "favorites"
        case .rename(let old, let new): old != "favorites" && new != "favorites"
        case .exchange(_, let other): world.disk[other]?.isFolder == true
        default: false
        }
    }

    /// Whether it may be done while somebody else keeps the mirror.
    ///
    /// What is asked for where there is no folder is done at a moment that nobody knows.
    package func isStep(in world: World) -> Bool {
        switch self {
        case .requestForget: world.disk["favorites"]?.isFolder == true
        case .make(let thing, _): thing.isSteady
        case .replace(let target, _): target.isSteady
        case .restart, .reboot, .look, .lookWithout, .loseRecord, .losePicture: false
        default: true
        }
    }

    /// Whether it makes a link to whatever is the newest picture.
    package var leadsThroughLatest: Bool {
        switch self {
        case .make(.link(.latest), _), .replace(.latest, _): true
        default: false
        }
    }

    /// Whether there is an event.
    package var isHeard: Bool {
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
