/** A rejected request. It had no effect; the message is for its sender. */
export class Refusal extends Error {
  readonly status: 400 | 401 | 404 | 405 | 409 | 413

  constructor(status: Refusal['status'], message: string) {
    super(message)
    this.status = status
  }
}
