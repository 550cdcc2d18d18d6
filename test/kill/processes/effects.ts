/** What requests did, as the journal is to have it: `ITEM_PUBLISHED CONT_1 3`. */
export type Effects = Map<string, number>

/** An event of the journal. */
export interface Effect {
  readonly event: string
  readonly id: string
  /** Of what has versions. */
  readonly version?: number | null
}

/** Counts an effect that was acknowledged, or found. */
export function addEffect(effects: Effects, { event, id, version }: Effect): void {
  const name = version === undefined || version === null ? `${event} ${id}` : `${event} ${id} ${version}`
  effects.set(name, (effects.get(name) ?? 0) + 1)
}
