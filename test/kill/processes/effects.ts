/** Counts of effects, in the form of journal entries: `ITEM_PUBLISHED CONT_1 3`. */
export type Effects = Map<string, number>

/** An event in the journal. */
export interface Effect {
  readonly event: string
  readonly id: string
  /** Set if the entity has versions. */
  readonly version?: number | null
}

/** Counts one effect. */
export function addEffect(effects: Effects, { event, id, version }: Effect): void {
  const name = version === undefined || version === null ? `${event} ${id}` : `${event} ${id} ${version}`
  effects.set(name, (effects.get(name) ?? 0) + 1)
}
