import { queryOptions } from '@quire/client/query'
import type { ContentType, Field } from '@quire/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Checks } from '../controls/checks.tsx'
import { Choice } from '../controls/choice.tsx'
import { Loaded } from '../controls/loaded.tsx'
import { Pager } from '../controls/pager.tsx'
import { SearchForm } from '../controls/search-form.tsx'
import { Title } from '../controls/title.tsx'
import { quire } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { useBranch } from './at.ts'
import { useChosen } from './chosen.ts'
import { Bulk } from './bulk.tsx'
import { ConditionList } from './conditions.tsx'
import { columnOf, labelOf } from './kinds.ts'
import { NewItem } from './new.tsx'
import { Rows } from './rows.tsx'
import { queryOf, Saved } from './saved.tsx'
import { listSearch, type ListSearch } from './search.ts'

const route = getRouteApi('/$repo/content')

/** Rows of a page: more would make the list slow, and nobody reads them at once. */
const perPage = 50

const translationStates = ['missing', 'outdated', 'current'] as const

const statuses = ['draft', 'published', 'archived'] as const

/** The items of a branch. Which ones, and in which order, is part of the address. */
export function ContentList() {
  const { at } = useBranch()
  // What is chosen is of one branch.
  return <List key={JSON.stringify(at)} />
}

function List() {
  const { content: words } = useWords()
  const { repo } = route.useParams()
  const search = route.useSearch()
  const { at, localized, reason } = useBranch()
  const types = useQuery(queryOptions(quire, 'types.list', {}))
  const type = types.data?.items.find(({ name }) => name === search.type)
  const list = useQuery({
    ...queryOptions(quire, 'queries.run', {
      ...at,
      ...localized,
      ...queryOf(search),
      ...(search.text !== undefined && { highlight: true }),
      ...(search.cursor !== undefined && { cursor: search.cursor }),
      limit: perPage,
    }),
    placeholderData: keepPreviousData,
  })
  const { chosen, choose, chooseNone } = useChosen()
  const navigate = route.useNavigate()
  // Another filter begins with its first page.
  const change = (changed: ListSearch) =>
    void navigate({
      search: (before) => listSearch({ ...before, cursor: undefined, ...changed }),
      replace: true,
    })
  return (
    <>
      <Title>{words.title}</Title>
      <div className="row">
        <Filter key={search.text} search={search} types={types.data?.items ?? []} change={change} />
        <Saved search={search} />
        <span className="space" />
        <NewItem
          repo={repo}
          types={types.data?.items ?? []}
          listed={search.type}
          reason={reason('items.create')}
        />
      </div>
      {type && <ConditionList type={type} where={search.where} onChange={(where) => change({ where })} />}
      {type && <Columns type={type} search={search} />}
      <Bulk ids={[...chosen]} onDone={chooseNone} />
      <Loaded query={list}>
        {({ items, nextCursor, count, highlights = {} }) => (
          <>
            <p role="status">{count === undefined ? '' : words.count(count)}</p>
            <Rows
              items={items}
              columns={columnsOf(type, search.columns)}
              sort={search.sort}
              highlights={highlights}
              chosen={chosen}
              onChoose={choose}
            />
            <Pager cursor={search.cursor} nextCursor={nextCursor} />
          </>
        )}
      </Loaded>
    </>
  )
}

/** So many columns there are unless somebody chooses. */
const usualColumns = 4

/** The fields of a type that can be columns: those with short values. */
function possibleColumns(type: ContentType | undefined): readonly Field[] {
  return (type?.fields ?? []).filter((field) => columnOf(field) !== null)
}

function columnsOf(type: ContentType | undefined, columns: string | undefined): readonly Field[] {
  const fields = possibleColumns(type)
  const names = columns?.split(',')
  return names ? fields.filter(({ name }) => names.includes(name)) : fields.slice(0, usualColumns)
}

interface ColumnsProps {
  readonly type: ContentType
  readonly search: ListSearch
}

/** Which fields are columns. It is part of the address. */
function Columns({ type, search }: ColumnsProps) {
  const { content: words } = useWords()
  const navigate = route.useNavigate()
  const fields = possibleColumns(type)
  const chosen = columnsOf(type, search.columns).map(({ name }) => name)
  return (
    <details>
      <summary>{words.columns}</summary>
      <Checks
        label={words.columns}
        options={Object.fromEntries(fields.map((field) => [field.name, labelOf(field)]))}
        chosen={chosen}
        onChange={(names) =>
          void navigate({
            search: (before) => ({ ...before, columns: names.join(',') || ',' }),
            replace: true,
          })
        }
      />
    </details>
  )
}

interface FilterProps {
  readonly search: ListSearch
  readonly types: readonly ContentType[]
  readonly change: (changed: ListSearch) => void
}

function Filter({ search, types, change }: FilterProps) {
  const { content: words, editor } = useWords()
  const { repository, localized } = useBranch()
  const locales = repository?.settings.locales
  return (
    <>
      <SearchForm text={search.text} onSearch={(text) => change({ text })} />
      <Choice
        label={words.type}
        options={{
          '': words.anyType,
          ...Object.fromEntries(types.map(({ name, displayName }) => [name, displayName])),
        }}
        value={search.type ?? ''}
        onChange={(type) => change({ type, sort: undefined, columns: undefined, where: undefined })}
      />
      <Choice
        label={words.status}
        options={{ '': words.anyStatus, ...words.statuses }}
        value={statuses.find((one) => one === search.status) ?? ''}
        onChange={(status) => change({ status })}
      />
      {locales && (
        <Choice
          label={words.locale}
          options={Object.fromEntries(locales.list.map(({ code, name }) => [code, name]))}
          value={localized.locale ?? locales.default}
          onChange={(locale) => change({ locale, translation: undefined })}
        />
      )}
      {locales && localized.locale !== locales.default && (
        <Choice
          label={words.translation}
          options={{ '': words.anyTranslation, ...editor.translationStates }}
          value={translationStates.find((one) => one === search.translation) ?? ''}
          onChange={(translation) => change({ translation })}
        />
      )}
    </>
  )
}
