import { mutationOptions, queryOptions } from '@quire/client/query'
import type { SchemaPlan, SchemaType } from '@quire/client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { Act } from '../controls/act.tsx'
import { Choice } from '../controls/choice.tsx'
import { useDraft } from '../controls/draft.ts'
import { Loaded } from '../controls/loaded.tsx'
import { Problem } from '../controls/problem.tsx'
import { Source } from '../controls/source.tsx'
import { quire } from '../service.ts'
import { useServiceReason } from '../session/rights.ts'
import { useWords } from '../words/language.tsx'

const route = getRouteApi('/-/')

/** The content types, and the plan of a change before it is made. */
export function ContentTypes() {
  const { operate, types: words } = useWords()
  const { type } = route.useSearch()
  const navigate = route.useNavigate()
  const why = useServiceReason()('admin.types.view')
  const schema = useQuery({ ...queryOptions(quire, 'schema.get', {}), enabled: why === null })
  if (why !== null) return <p>{why}</p>
  return (
    <section>
      <h2>{operate.tabs.types}</h2>
      <p>{words.lead}</p>
      <Loaded query={schema}>
        {({ types }) => {
          const chosen = types.find(({ name }) => name === type)
          const saved = chosen ?? { name: 'new-type', displayName: 'New type', fields: [] }
          return (
            <>
              <Choice
                label={words.type}
                options={{
                  '': words.newType,
                  ...Object.fromEntries(types.map((one) => [one.name, one.displayName])),
                }}
                value={chosen?.name ?? ''}
                onChange={(name) => void navigate({ search: name === '' ? {} : { type: name } })}
              />
              <Definition
                key={chosen?.name}
                name={chosen?.name ?? ''}
                saved={JSON.stringify(saved, null, 2)}
              />
            </>
          )
        }}
      </Loaded>
    </section>
  )
}

function Definition({ name, saved }: { readonly name: string; readonly saved: string }) {
  const { types: words, editor } = useWords()
  const [draft, write, isStored, clear] = useDraft(`type.${name}`)
  const [isApplied, setApplied] = useState(false)
  const [planned, setPlanned] = useState('')
  const why = useServiceReason()('admin.types.update')
  const [isWrong, setWrong] = useState(false)
  const plan = useMutation(mutationOptions(quire, 'schema.plan'))
  const text = draft === '' ? saved : draft
  const unsaved = isStored ? words.unsaved : editor.noRoom
  const show = () => {
    try {
      const type: SchemaType = JSON.parse(text)
      setWrong(false)
      setPlanned(text)
      plan.mutate({ types: [type] })
    } catch {
      setWrong(true)
    }
  }
  return (
    <Source
      label={words.definition}
      value={text}
      isReadOnly={why !== null}
      onChange={(next) => {
        plan.reset()
        setApplied(false)
        write(next)
      }}
    >
      <p role="status">
        {isWrong ? words.wrongJson : draft === '' ? (isApplied ? words.applied : '') : unsaved}
      </p>
      <div className="row">
        <Act kind="main" reason={why} isBusy={plan.isPending} onAct={show}>
          {words.plan}
        </Act>
        {draft !== '' && (
          <Act
            onAct={() => {
              plan.reset()
              write('')
            }}
          >
            {words.discard}
          </Act>
        )}
      </div>
      <Problem error={plan.error} />
      {plan.data && plan.variables && (
        <Plan
          key={plan.data.planId}
          plan={plan.data}
          types={plan.variables.types}
          onApplied={() => {
            plan.reset()
            setApplied(true)
            // What was typed while it was applied stays.
            clear(planned)
          }}
        />
      )}
    </Source>
  )
}

interface PlanProps {
  readonly plan: SchemaPlan
  readonly types: SchemaType[]
  readonly onApplied: () => void
}

/** What the change does. Exactly this is applied, or nothing. */
function Plan({ plan: { planId, changes }, types, onApplied }: PlanProps) {
  const { types: words } = useWords()
  const why = useServiceReason()('admin.types.update')
  const [isMigrated, setMigrated] = useState(false)
  const apply = useMutation({ ...mutationOptions(quire, 'schema.apply'), onSuccess: onApplied })
  const needsMigrate = changes.some((change) => change.needsMigrate)
  const problem = changes.find((change) => change.problem !== null)?.problem ?? null
  return (
    <div className="panel">
      <h3>{words.planTitle}</h3>
      {changes.length === 0 && <p>{words.nothing}</p>}
      {changes.map(({ type, kind, renamedFrom, members, fields, convert, lose, problem: obstacle }) => (
        <div key={type}>
          <p>
            <code>{renamedFrom === null ? type : `${renamedFrom} → ${type}`}</code>{' '}
            <span className={`badge ${kind}`}>{words.kinds[kind]}</span> {members.join(', ')}
          </p>
          <ul>
            {fields.map((field) => (
              <li key={field.path}>
                <code>{field.from === null ? field.path : `${field.from} → ${field.path}`}</code>{' '}
                <span className={`badge ${field.kind}`}>{words.kinds[field.kind]}</span>{' '}
                {field.members.join(', ')}
              </li>
            ))}
          </ul>
          {convert > 0 && <p>{words.convert(convert, lose)}</p>}
          {obstacle !== null && <p lang="en">{obstacle}</p>}
        </div>
      ))}
      {needsMigrate && (
        <label className="choice">
          <input
            type="checkbox"
            checked={isMigrated}
            onChange={({ target }) => setMigrated(target.checked)}
          />
          {words.migrate}
        </label>
      )}
      <Problem error={apply.error} />
      {changes.length > 0 && (
        <Act
          kind="main"
          reason={why ?? problem ?? (needsMigrate && !isMigrated ? words.migrate : null)}
          isBusy={apply.isPending}
          onAct={() => apply.mutate({ types, planId, migrate: isMigrated })}
        >
          {words.apply}
        </Act>
      )}
    </div>
  )
}
