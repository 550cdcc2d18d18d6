/** A request that is not done. Nothing has changed; the message is for whoever asked. */
export class Refusal extends Error {
  readonly status: 400 | 401 | 404 | 405 | 409 | 413

  constructor(status: Refusal['status'], message: string) {
    super(message)
    this.status = status
  }
}
