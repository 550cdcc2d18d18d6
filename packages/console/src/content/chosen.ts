import { useState } from 'react'

/** The ids that somebody has chosen in a list, and what chooses them. */
export function useChosen(): {
  readonly chosen: ReadonlySet<string>
  readonly choose: (ids: readonly string[], isChosen: boolean) => void
  readonly chooseNone: () => void
} {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  return {
    chosen,
    choose: (ids, isChosen) =>
      setChosen((before) => {
        const others = [...before].filter((id) => !ids.includes(id))
        return new Set(isChosen ? [...others, ...ids] : others)
      }),
    chooseNone: () => setChosen(new Set()),
  }
}
