extension Duration {
    /// The limit of every wait of a test, which only ends one that hangs.
    ///
    /// On a busy machine anything may take minutes; so no test judges the time that something takes.
    package static let hang = Duration.seconds(600)
}
