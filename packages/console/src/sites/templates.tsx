import { mutationOptions } from '@quire/client/query'
import type { Site } from '@quire/client'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Act } from '../controls/act.tsx'
import { Choice } from '../controls/choice.tsx'
import { useDraft } from '../controls/draft.ts'
import { Field } from '../controls/field.tsx'
import { Loaded } from '../controls/loaded.tsx'
import { Problem } from '../controls/problem.tsx'
import { quire } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { useSite } from './at.ts'

/** The templates of a site, edited as source. */
export function SiteTemplates() {
  const { sites: words } = useWords()
  const { query } = useSite()
  return (
    <section>
      <h2>{words.tabs.templates}</h2>
      <p>{words.templatesLead}</p>
      <Loaded query={query}>{(site) => <Templates site={site} />}</Loaded>
    </section>
  )
}

function Templates({ site }: { readonly site: Site }) {
  const { sites: words } = useWords()
  const { at, reason } = useSite()
  const names = Object.keys(site.templates).toSorted()
  const [chosen, setChosen] = useState(site.layoutTemplate ?? names[0] ?? '')
  const [added, setAdded] = useState('')
  const update = useMutation(mutationOptions(quire, 'sites.update'))
  const why = reason('sites.update')
  const template = site.templates[chosen] === undefined ? names[0] : chosen
  return (
    <>
      <div className="row">
        <Choice
          label={words.template}
          options={Object.fromEntries(names.map((name) => [name, name]))}
          value={template ?? ''}
          onChange={setChosen}
        />
        {why === null && (
          <Choice
            label={words.layout}
            options={{ '': words.noLayout, ...Object.fromEntries(names.map((name) => [name, name])) }}
            value={site.layoutTemplate ?? ''}
            onChange={(name) => update.mutate({ ...at, layoutTemplate: name === '' ? null : name })}
          />
        )}
      </div>
      {template !== undefined && <Source key={template} site={site} name={template} />}
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault()
          const name = added.trim()
          update.mutate(
            { ...at, templates: { ...site.templates, [name]: '' } },
            {
              onSuccess: () => {
                setAdded('')
                setChosen(name)
              },
            },
          )
        }}
      >
        <Field label={words.newTemplate} value={added} onChange={setAdded} isRequired />
        <Act submits reason={why} isBusy={update.isPending}>
          {words.createIt}
        </Act>
      </form>
      <Problem error={update.error} />
    </>
  )
}

/** What is typed, and the version of the site that it is based on. */
interface Draft {
  readonly text: string
  readonly version: number
}

/** The source of one template. What is typed is kept in the browser until it is saved. */
function Source({ site, name }: { readonly site: Site; readonly name: string }) {
  const { sites: words } = useWords()
  const { at, reason } = useSite()
  const id = useId()
  const [stored, write] = useDraft(`template.${at.packageName ?? ''}.${site.id}.${name}`)
  const saved = site.templates[name] ?? ''
  const draft: Draft | null = stored === '' ? null : JSON.parse(stored)
  const text = draft?.text ?? saved
  const isBehind = draft !== null && draft.version !== site.currentVersion
  const { [name]: _, ...others } = site.templates
  const update = useMutation({
    ...mutationOptions(quire, 'sites.update'),
    onSuccess: () => write(''),
  })
  const why = reason('sites.update')
  return (
    <div className="field">
      <label htmlFor={id}>{words.source(name)}</label>
      <textarea
        id={id}
        className="source"
        dir="ltr"
        spellCheck={false}
        rows={20}
        value={text}
        onChange={({ target }) =>
          write(JSON.stringify({ text: target.value, version: draft?.version ?? site.currentVersion }))
        }
      />
      <p role="status">{isBehind ? words.behind : draft === null ? '' : words.unsaved}</p>
      <div className="row">
        <Act
          kind="main"
          reason={why ?? (isBehind ? words.behind : null)}
          isBusy={update.isPending}
          onAct={() => update.mutate({ ...at, templates: { ...others, [name]: text } })}
        >
          {words.save}
        </Act>
        {draft !== null && <Act onAct={() => write('')}>{words.discard}</Act>}
        <Act kind="danger" reason={why} onAct={() => update.mutate({ ...at, templates: others })}>
          {words.deleteTemplate}
        </Act>
      </div>
      <Problem error={update.error} />
    </div>
  )
}
