import { mutationOptions, queryOptions } from '@quire/client/query'
import type { Page } from '@quire/client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useRef } from 'react'
import { ItemPick } from '../content/pick.tsx'
import { Act } from '../controls/act.tsx'
import { Choice } from '../controls/choice.tsx'
import { useDraft } from '../controls/draft.ts'
import { Field } from '../controls/field.tsx'
import { Loaded } from '../controls/loaded.tsx'
import { Problem } from '../controls/problem.tsx'
import { quire } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { useSite } from './at.ts'

/** What a page shows, and with which template. */
export function PageForm({ pageId }: { readonly pageId: string }) {
  const { at, query: site } = useSite()
  const page = useQuery(queryOptions(quire, 'pages.get', { ...at, id: pageId }))
  return (
    <Loaded query={page}>
      {(loaded) => <Form page={loaded} templates={Object.keys(site.data?.templates ?? {})} />}
    </Loaded>
  )
}

type PageChange = Partial<Pick<Page, 'slug' | 'template' | 'order' | 'visible' | 'itemId'>>

function Form({ page, templates }: { readonly page: Page; readonly templates: readonly string[] }) {
  const { sites: words } = useWords()
  const { at, reason } = useSite()
  const id = useId()
  // Only what was changed is sent: others may change the rest meanwhile.
  const [draft, write] = useDraft(`page.${at.siteId}.${at.packageName ?? ''}.${page.id}`)
  const change = JSON.parse(draft || '{}') as PageChange
  const latest = useRef(change)
  latest.current = change
  const setChange = (next: PageChange) => write(Object.keys(next).length > 0 ? JSON.stringify(next) : '')
  const save = useMutation({
    ...mutationOptions(quire, 'pages.update'),
    // What was changed while it was sent stays.
    onSuccess: (_, sent) => {
      const rest = Object.entries(latest.current).filter(([name, value]) => Reflect.get(sent, name) !== value)
      setChange(Object.fromEntries(rest))
    },
  })
  const why = reason('sites.update')
  const { slug, template, order, visible, itemId } = { ...page, ...change }
  const set = (changed: PageChange) => setChange({ ...change, ...changed })
  return (
    <form
      className="panel"
      onSubmit={(event) => {
        event.preventDefault()
        if (!save.isPending) save.mutate({ ...at, ...change, id: page.id })
      }}
    >
      <fieldset className="bare" disabled={why !== null}>
        <h3>{words.page}</h3>
        <div className="field">
          <label htmlFor={id}>{words.item}</label>
          <ItemPick
            types={[]}
            upload={null}
            value={itemId ?? undefined}
            onChange={(value) => set({ itemId: typeof value === 'string' ? value : null })}
            ids={{ id, describedBy: undefined }}
          />
        </div>
        <div className="row">
          <Choice
            label={words.template}
            options={Object.fromEntries([...new Set([...templates, template])].map((name) => [name, name]))}
            value={template}
            onChange={(name) => set({ template: name })}
          />
          <label className="choice">
            <input
              type="checkbox"
              checked={visible}
              onChange={({ target }) => set({ visible: target.checked })}
            />
            {words.visible}
          </label>
        </div>
        <div className="row">
          <Field label={words.slug} value={slug} onChange={(text) => set({ slug: text })} isRequired />
          <Field
            label={words.order}
            value={String(order)}
            onChange={(text) => set({ order: Number.parseInt(text, 10) || 0 })}
          />
        </div>
      </fieldset>
      <Problem error={save.error} />
      <Act kind="main" submits reason={why} isBusy={save.isPending}>
        {words.save}
      </Act>
    </form>
  )
}
