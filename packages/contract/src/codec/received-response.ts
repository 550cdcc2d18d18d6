/** A response from the network. */
export interface ReceivedResponse {
  readonly status: number
  /** The value of a header by its name in lower case. */
  readonly header: (name: string) => string | null
  readonly text: string
}
