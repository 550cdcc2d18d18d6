import { mutationOptions, queryOptions } from '@quire/client/query'
import type { Page } from '@quire/client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { ItemPick } from '../content/pick.tsx'
import { Act } from '../controls/act.tsx'
import { Choice } from '../controls/choice.tsx'
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
      {(loaded) => (
        <Form key={loaded.currentVersion} page={loaded} templates={Object.keys(site.data?.templates ?? {})} />
      )}
    </Loaded>
  )
}

function Form({ page, templates }: { readonly page: Page; readonly templates: readonly string[] }) {
  const { sites: words } = useWords()
  const { at, reason } = useSite()
  const id = useId()
  const [slug, setSlug] = useState(page.slug)
  const [template, setTemplate] = useState(page.template)
  const [order, setOrder] = useState(String(page.order))
  const [isVisible, setVisible] = useState(page.visible)
  const [itemId, setItemId] = useState(page.itemId)
  const save = useMutation(mutationOptions(quire, 'pages.update'))
  return (
    <form
      className="panel"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({
          ...at,
          id: page.id,
          slug: slug.trim(),
          template,
          order: Number(order),
          visible: isVisible,
          itemId,
        })
      }}
    >
      <h3>{words.page}</h3>
      <div className="field">
        <label htmlFor={id}>{words.item}</label>
        <ItemPick
          types={[]}
          upload={null}
          value={itemId ?? undefined}
          onChange={(value) => setItemId(typeof value === 'string' ? value : null)}
          ids={{ id, describedBy: undefined }}
        />
      </div>
      <div className="row">
        <Choice
          label={words.template}
          options={Object.fromEntries([...new Set([...templates, template])].map((name) => [name, name]))}
          value={template}
          onChange={setTemplate}
        />
        <label className="choice">
          <input type="checkbox" checked={isVisible} onChange={({ target }) => setVisible(target.checked)} />
          {words.visible}
        </label>
      </div>
      <div className="row">
        <Field label={words.slug} value={slug} onChange={setSlug} isRequired />
        <Field label={words.order} value={order} onChange={setOrder} />
      </div>
      <Problem error={save.error} />
      <Act kind="main" submits reason={reason('sites.update')} isBusy={save.isPending}>
        {words.save}
      </Act>
    </form>
  )
}
