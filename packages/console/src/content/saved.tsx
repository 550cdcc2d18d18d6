import { mutationOptions, queryOptions } from '@quire/client/query'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { Choice } from '../controls/choice.tsx'
import { Field } from '../controls/field.tsx'
import { PanelForm } from '../controls/panel-form.tsx'
import { quire } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { useBranch } from './at.ts'
import { isSame } from './editing.ts'
import { listSearch, type ListSearch } from './search.ts'

const route = getRouteApi('/$repo/content')

/** The query that an address stands for, as it is saved and run. */
export function queryOf({ type, text, status, sort, folder, where, translation, locale }: ListSearch) {
  const filter = {
    ...where,
    ...(translation !== undefined && locale !== undefined && { translations: `${locale}:${translation}` }),
    ...(status !== undefined && { status }),
    ...(folder !== undefined && { folderId: folder }),
  }
  return {
    ...(type !== undefined && { type }),
    ...(text !== undefined && { text }),
    ...(status === 'archived' && { archived: true }),
    ...(Object.keys(filter).length > 0 && { filter }),
    ...(sort !== undefined && { sort }),
  }
}

/** The address that a saved query stands for; null for one that this list cannot show. */
function searchOf(query: Readonly<Record<string, unknown>>): ListSearch | null {
  const { filter = {}, ...rest } = query
  const {
    status,
    folderId: folder,
    translations,
    ...where
  } = Object(filter) as Readonly<Record<string, unknown>>
  const [locale, translation] = typeof translations === 'string' ? translations.split(':') : []
  const search = listSearch({ ...rest, status, folder, locale, translation, where })
  return isSame(queryOf(search), query) ? search : null
}

/** Opens what somebody has saved as a query, and saves what the list shows. */
export function Saved({ search }: { readonly search: ListSearch }) {
  const { content: words } = useWords()
  const navigate = route.useNavigate()
  const { at, reason } = useBranch()
  const [name, setName] = useState('')
  const { configId } = at
  const list = useQuery({
    ...queryOptions(quire, 'savedQueries.list', { configId }),
    enabled: reason('queries.run') === null,
  })
  const save = useMutation(mutationOptions(quire, 'savedQueries.create'))
  const saved = (list.data?.items ?? []).flatMap(({ name: called, query }) => {
    const found = searchOf(query)
    return found ? [[called, found] as const] : []
  })
  const current = saved.find(([, one]) => isSame(queryOf(one), queryOf(search)))
  return (
    <>
      {saved.length > 0 && (
        <Choice
          label={words.savedQueries}
          options={{ '': words.noQuery, ...Object.fromEntries(saved.map(([called]) => [called, called])) }}
          value={current?.[0] ?? ''}
          onChange={(called) => {
            const [, chosen] = saved.find(([one]) => one === called) ?? []
            void navigate({ search: listSearch({ in: search.in, locale: search.locale, ...chosen }) })
          }}
        />
      )}
      {!current && (
        <PanelForm
          label={words.saveQuery}
          reason={reason('queries.save')}
          answer={words.saveQuery}
          sending={save}
          onSubmit={(close) => save.mutate({ configId, name, query: queryOf(search) }, { onSuccess: close })}
        >
          <Field label={words.queryName} hint={words.queryHint} value={name} onChange={setName} isRequired />
        </PanelForm>
      )}
    </>
  )
}
