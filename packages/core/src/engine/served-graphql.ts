/** What GraphQL over HTTP says of an answer. */
export class ServedGraphql {
  readonly status: number
  /** Its media type. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string

  constructor({ status, headers, body }: Pick<ServedGraphql, 'status' | 'headers' | 'body'>) {
    this.status = status
    this.headers = headers
    this.body = body
  }
}
