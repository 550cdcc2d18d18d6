import type { Conflict } from '@quire/client'
import { useState } from 'react'
import { Act } from '../controls/act.tsx'
import { Label } from 'react-aria-components/Label'
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup'
import { Value } from '../controls/value.tsx'
import { useWords } from '../words/language.tsx'

interface ConflictsProps {
  readonly conflicts: readonly Conflict[]
  readonly isBusy: boolean
  /** Called with the conflicts in which what was typed here is to stay. */
  readonly onDone: (yours: readonly Conflict[]) => void
}

/** What somebody else saved meanwhile, beside what was typed here. Both are there until one is chosen. */
export function Conflicts({ conflicts, isBusy, onDone }: ConflictsProps) {
  const { editor: words } = useWords()
  const [sides, setSides] = useState<Readonly<Record<string, string>>>({})
  const isResolved = conflicts.every(({ path }) => sides[path] !== undefined)
  return (
    <section className="panel" aria-label={words.conflicts}>
      <h2>{words.conflicts}</h2>
      <p>{words.conflictsLead}</p>
      {conflicts.map(({ path, yours, theirs }) => (
        <RadioGroup
          key={path}
          value={sides[path] ?? null}
          onChange={(side) => setSides({ ...sides, [path]: side })}
        >
          <Label>
            <code>{path}</code>
          </Label>
          <div className="sides">
            <Radio value="yours">
              <strong>{words.yours}</strong>
              <Value value={yours} other={theirs} isNew />
            </Radio>
            <Radio value="theirs">
              <strong>{words.theirs}</strong>
              <Value value={theirs} other={yours} />
            </Radio>
          </div>
        </RadioGroup>
      ))}
      <Act
        kind="main"
        isBusy={isBusy}
        reason={isResolved ? null : words.chooseEach}
        onAct={() => onDone(conflicts.filter(({ path }) => sides[path] === 'yours'))}
      >
        {words.resolve}
      </Act>
    </section>
  )
}
