import { mutationOptions } from '@quire/client/query'
import type { Site, Templates } from '@quire/client'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Act } from '../controls/act.tsx'
import { Choice } from '../controls/choice.tsx'
import { Delete } from '../controls/delete.tsx'
import { useDraft } from '../controls/draft.ts'
import { Field } from '../controls/field.tsx'
import { Loaded } from '../controls/loaded.tsx'
import { Problem } from '../controls/problem.tsx'
import { Source } from '../controls/source.tsx'
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
      <Loaded query={query}>{(site) => <TemplatesOf site={site} />}</Loaded>
    </section>
  )
}

function TemplatesOf({ site }: { readonly site: Site }) {
  const { sites: words } = useWords()
  const { at, reason } = useSite()
  const names = Object.keys(site.templates).toSorted()
  const [chosen, setChosen] = useState(site.layoutTemplate ?? names[0] ?? '')
  const [added, setAdded] = useState('')
  const update = useMutation(mutationOptions(quire, 'sites.update'))
  const add = useTemplates(at)
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
      {template !== undefined && <TemplateSource key={template} site={site} name={template} />}
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault()
          const name = added.trim()
          if (add.isPending) return
          add.mutate(
            { change: (templates) => ({ [name]: '', ...templates }) },
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
        <Act submits reason={why} isBusy={add.isPending}>
          {words.createIt}
        </Act>
      </form>
      <Problem error={update.error ?? add.error} />
    </>
  )
}

/** What is typed, and the source that it is a change of. */
interface Draft {
  readonly text: string
  readonly base: string
}

/** What is typed, as the browser has it; null: nothing, or what is saved by now. */
function draftOf(stored: string, saved: string): Draft | null {
  const draft: Draft | null = stored === '' ? null : JSON.parse(stored)
  return draft?.text === saved ? null : draft
}

/** The source of one template. What is typed is kept in the browser until it is saved. */
function TemplateSource({ site, name }: { readonly site: Site; readonly name: string }) {
  const { sites: words, editor } = useWords()
  const { at, reason } = useSite()
  const [stored, write, isStored] = useDraft(`template.${at.packageName ?? ''}.${site.id}.${name}`)
  const saved = site.templates[name] ?? ''
  const draft = draftOf(stored, saved)
  const { text, base } = draft ?? { text: saved, base: saved }
  const isBehind = base !== saved
  const typed = useRef(text)
  typed.current = text
  const update = useTemplates(at)
  const why = reason('sites.update')
  const save = () =>
    update.mutate(
      {
        change: (templates) => ((templates[name] ?? '') === base ? { ...templates, [name]: text } : null),
      },
      {
        onSuccess: (changed) => {
          if (!changed) return
          // What was typed since it was sent is a change of what is saved now.
          write(typed.current === text ? '' : JSON.stringify({ text: typed.current, base: text }))
        },
      },
    )
  const unsaved = isStored ? words.unsaved : editor.noRoom
  return (
    <Source
      label={words.source(name)}
      value={text}
      isReadOnly={why !== null}
      onChange={(next) => write(JSON.stringify({ text: next, base } satisfies Draft))}
    >
      <p role="status">{isBehind ? words.behind : draft === null ? '' : unsaved}</p>
      <div className="row">
        <Act
          kind="main"
          reason={why ?? (isBehind ? words.behind : null)}
          isBusy={update.isPending}
          onAct={save}
        >
          {words.save}
        </Act>
        {draft !== null && <Act onAct={() => write('')}>{words.discard}</Act>}
        <DeleteTemplate name={name} onDone={() => write('')} />
      </div>
      <Problem error={update.error} />
    </Source>
  )
}

function DeleteTemplate({ name, onDone }: { readonly name: string; readonly onDone: () => void }) {
  const { sites: words } = useWords()
  const { at, reason } = useSite()
  const update = useTemplates(at)
  const without = (templates: Templates) =>
    Object.fromEntries(Object.entries(templates).filter(([one]) => one !== name))
  return (
    <>
      <Delete
        name={name}
        reason={reason('sites.update')}
        isBusy={update.isPending}
        onYes={() => update.mutate({ change: without }, { onSuccess: onDone })}
      >
        {words.deleteTemplate}
      </Delete>
      <Problem error={update.error} />
    </>
  )
}

interface TemplatesChange {
  /** The templates after the change, of those that the service has now; null: it does not apply to these. */
  readonly change: (templates: Templates) => Templates | null
}

/** Changes the templates that the service has at that moment, so that a change of others is not undone. */
function useTemplates(at: Parameters<typeof quire.sites.get>[0]) {
  return useMutation({
    mutationFn: async ({ change }: TemplatesChange) => {
      let etag: string | null = null
      const site = await quire.sites.get(at, { onAnswer: (about) => void (etag = about.etag ?? null) })
      const templates = change(site.templates)
      if (templates !== null)
        await quire.sites.update({ ...at, templates }, etag === null ? {} : { ifMatch: etag })
      return templates !== null
    },
  })
}
