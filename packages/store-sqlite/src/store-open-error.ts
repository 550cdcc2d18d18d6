/** The reason why a database cannot be opened. */
export type OpenFailure =
  | 'node'
  | 'serverless'
  | 'memory'
  | 'inUse'
  | 'newer'
  | 'unreleased'
  | 'folder'
  | 'notDatabase'
  | 'notOurs'
  | 'network'
  | 'sqlite'

/** The error for a database that cannot be opened. The message is one line and says what to do. */
export class StoreOpenError extends Error {
  override readonly name = 'StoreOpenError'
  readonly reason: OpenFailure
  constructor(reason: OpenFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}
