/** How the process does, at one moment. */
export interface VitalSigns {
  /** The version of what runs. */
  readonly version: string
  readonly uptimeSeconds: number
  /** Ms by which the event loop was late over the last second, on average. */
  readonly loopDelayMs: number
  /** Bytes of memory that the process has, and that its objects take. */
  readonly rssBytes: number
  readonly heapBytes: number
  /** The disk that binaries are kept on: bytes that are free, and that must stay free for uploads to be taken; null: it has none of its own. */
  readonly disk: { readonly freeBytes: number; readonly neededBytes: number } | null
  /** Settings of the store as it answers them, by name: none that tells a secret or a place. */
  readonly store: Readonly<Record<string, string>>
}

/** What only the process itself can tell of its health. */
export interface Vitals {
  /** Cost: a look at the disk and some statements on the store. Errors: any, where it cannot be told now. */
  read(): Promise<VitalSigns>
}
