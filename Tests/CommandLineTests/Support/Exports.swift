/// For each file of this module: what it starts and what it examines.
@_exported import ProgramTesting
