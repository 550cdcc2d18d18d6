import { mutationOptions, queryOptions } from '@quire/client/query'
import type { MergeConflict, Resolution } from '@quire/client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup'
import { Act } from '../controls/act.tsx'
import { useDraft } from '../controls/draft.ts'
import { Field } from '../controls/field.tsx'
import { Loaded } from '../controls/loaded.tsx'
import { Problem } from '../controls/problem.tsx'
import { quire } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { useAt, usePackage } from './at.ts'
import { textOf, Value } from '../controls/value.tsx'

/** What is chosen for one conflict. `text` is kept while another side is chosen. */
interface Chosen {
  readonly use?: 'ours' | 'theirs' | 'own'
  readonly text?: string
}

type Choices = Readonly<Record<string, Chosen>>

/** The conflicts of a package with main, each resolved by choosing a side or by writing the value. */
export function PackageConflicts() {
  const { conflicts: words } = useWords()
  const at = useAt()
  const { reason } = usePackage()
  const list = useQuery(queryOptions(quire, 'packages.conflicts', at))
  const sync = useMutation(mutationOptions(quire, 'packages.sync'))
  const [choices, choose, clear] = useChoices()
  return (
    <section>
      <h2>{words.title}</h2>
      {sync.isSuccess && <p role="status">{words.done}</p>}
      <Loaded query={list}>
        {({ items, planId, count }) => {
          const resolutions = items.flatMap((one) => resolutionOf(one, choices[keyOf(one)] ?? {}))
          return (
            <>
              <p>{count === 0 ? words.none : words.lead}</p>
              {items.map((one) => (
                <Conflict
                  key={keyOf(one)}
                  conflict={one}
                  chosen={choices[keyOf(one)] ?? {}}
                  onChoose={(chosen) => choose(keyOf(one), chosen)}
                />
              ))}
              <Problem error={sync.error} />
              {count > 0 && <p role="status">{words.resolved(resolutions.length, count)}</p>}
              <Act
                kind="main"
                reason={
                  reason('packages.merge') ??
                  (resolutions.length < count ? words.resolved(resolutions.length, count) : null)
                }
                isBusy={sync.isPending}
                onAct={() => sync.mutate({ ...at, planId, resolutions }, { onSuccess: clear })}
              >
                {words.resolve}
              </Act>
            </>
          )
        }}
      </Loaded>
    </section>
  )
}

/** What is chosen so far, kept in the browser like everything that is typed. */
function useChoices(): readonly [Choices, (key: string, chosen: Chosen) => void, () => void] {
  const { repo, packageName } = useAt()
  const [text, write] = useDraft(`conflicts.${repo}.${packageName}`)
  const choices = JSON.parse(text === '' ? '{}' : text) as Choices
  return [choices, (key, chosen) => write(JSON.stringify({ ...choices, [key]: chosen })), () => write('')]
}

/** The same conflict is another one as soon as one of its sides has changed. */
function keyOf({ entity, path, kind, ours, theirs }: MergeConflict): string {
  return JSON.stringify([entity.id, path, kind, ours, theirs])
}

/** The resolution for the service; none while nothing is chosen. */
function resolutionOf(
  { entity: { id }, path, ours }: MergeConflict,
  { use, text = '' }: Chosen,
): Resolution[] {
  if (use === undefined) return []
  return [use === 'own' ? { id, path, value: valueOf(text, ours) } : { id, path, use }]
}

/** A text for a text; for other values JSON, and what is not JSON as a text: the service says what is wrong with it. */
function valueOf(text: string, like: unknown): Extract<Resolution, { value: unknown }>['value'] {
  if (typeof like === 'string') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

interface ConflictProps {
  readonly conflict: MergeConflict
  readonly chosen: Chosen
  readonly onChoose: (chosen: Chosen) => void
}

function Conflict({ conflict: { entity, path, kind, base, ours, theirs }, chosen, onChoose }: ConflictProps) {
  const { conflicts: words } = useWords()
  const own = chosen.text ?? textOf(ours ?? '')
  return (
    <article className="panel">
      <h3 dir="auto">
        {entity.name} · {path === '' ? words.whole : <code>{path}</code>}
      </h3>
      <p>{words.kinds[kind]}</p>
      <dl>
        <dt>{words.base}</dt>
        <dd>
          <Value value={base} />
        </dd>
      </dl>
      <RadioGroup
        className="sides"
        aria-label={`${entity.name} ${path}`}
        value={chosen.use ?? null}
        onChange={(use) => onChoose({ ...chosen, use: use === 'ours' || use === 'theirs' ? use : 'own' })}
      >
        <Radio value="ours">
          <strong>{words.ours}</strong>
          <Value value={ours} other={base} isNew />
        </Radio>
        <Radio value="theirs">
          <strong>{words.theirs}</strong>
          <Value value={theirs} other={base} isNew />
        </Radio>
        <Radio value="own">
          <strong>{words.own}</strong>
        </Radio>
      </RadioGroup>
      {chosen.use === 'own' && (
        <Field
          label={words.ownValue}
          hint={words.ownHint}
          value={own}
          onChange={(text) => onChoose({ use: 'own', text })}
          isLong
        />
      )}
    </article>
  )
}
