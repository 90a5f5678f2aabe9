/// Re-exports for each file of this module.
@_exported import ProgramTesting
