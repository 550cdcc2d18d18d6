import { queryOptions } from '@quire/client/query'
import type { Field, Highlight, ReadItem } from '@quire/client'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { textOf } from '../controls/value.tsx'
import { When } from '../controls/when.tsx'
import { quire } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { useBranch } from './at.ts'
import { columnOf, labelOf } from './kinds.ts'
import { useCategories } from './pick.tsx'
import { listSearch } from './search.ts'
import { Status } from './status.tsx'

const route = getRouteApi('/$repo/content')

interface RowsProps {
  readonly items: readonly ReadItem[]
  readonly columns: readonly Field[]
  readonly sort: string | undefined
  readonly highlights: Readonly<Record<string, readonly Highlight[]>>
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (ids: readonly string[], isChosen: boolean) => void
}

/** The rows of a list, with a column for each field. */
export function Rows({ items, columns, sort, highlights, chosen, onChoose }: RowsProps) {
  const { content: words } = useWords()
  const ids = items.map(({ id }) => id)
  if (items.length === 0) return <p>{words.none}</p>
  return (
    <div className="wide" tabIndex={0} role="region" aria-label={words.title}>
      <table className="items">
        <thead>
          <tr>
            <th scope="col">
              <input
                type="checkbox"
                aria-label={words.chooseAll}
                checked={ids.every((id) => chosen.has(id))}
                onChange={({ target }) => onChoose(ids, target.checked)}
              />
            </th>
            <Sorted by="name" sort={sort} label={words.name} />
            <Sorted by="type" sort={sort} label={words.type} />
            <Sorted by="status" sort={sort} label={words.status} />
            {columns.map((field) => (
              <Sorted key={field.name} by={`fields.${field.name}`} sort={sort} label={labelOf(field)} />
            ))}
            <Sorted by="updatedDate" sort={sort} label={words.updated} />
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <Row
              key={item.id}
              item={item}
              columns={columns}
              fragments={(highlights[item.id] ?? []).flatMap((one) => one.fragments)}
              isChosen={chosen.has(item.id)}
              onChoose={(isChosen) => onChoose([item.id], isChosen)}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A column heading that sorts: ascending, then descending. */
function Sorted({
  by,
  sort,
  label,
}: {
  readonly by: string
  readonly sort: string | undefined
  readonly label: string
}) {
  const direction = sort === by ? 'ascending' : sort === `-${by}` ? 'descending' : 'none'
  const next = direction === 'ascending' ? `-${by}` : by
  return (
    <th scope="col" aria-sort={direction}>
      <Link
        from="/$repo/content"
        to="/$repo/content"
        search={(before) => ({ ...before, sort: next, cursor: undefined })}
      >
        {label} {direction === 'ascending' ? '↑' : direction === 'descending' ? '↓' : ''}
      </Link>
    </th>
  )
}

interface RowProps {
  readonly item: ReadItem
  readonly columns: readonly Field[]
  readonly fragments: readonly string[]
  readonly isChosen: boolean
  readonly onChoose: (isChosen: boolean) => void
}

function Row({ item, columns, fragments, isChosen, onChoose }: RowProps) {
  const { content: words } = useWords()
  const { repo } = route.useParams()
  const search = route.useSearch()
  const { id, name = id, type, updatedDate, updatedByUser, fields = {} } = item
  return (
    <tr>
      <td>
        <input
          type="checkbox"
          aria-label={words.choose(name)}
          checked={isChosen}
          onChange={({ target }) => onChoose(target.checked)}
        />
      </td>
      <th scope="row">
        <Link
          to="/$repo/content/$id"
          params={{ repo, id }}
          search={listSearch({ in: search.in, locale: search.locale })}
          dir="auto"
        >
          {name}
        </Link>
        {fragments.slice(0, 2).map((fragment) => (
          <small key={fragment} className="fragment" dir="auto">
            <Fragment text={fragment} />
          </small>
        ))}
      </th>
      <td>
        <code>{type}</code>
      </td>
      <td>
        <Status of={item} />
      </td>
      {columns.map((field) => (
        <td key={field.name}>
          <Cell field={field} value={fields[field.name]} />
        </td>
      ))}
      <td>
        <small>
          {updatedDate !== undefined && <When time={updatedDate} />} <bdi>{updatedByUser?.displayName}</bdi>
        </small>
      </td>
    </tr>
  )
}

/** An excerpt of the service: escaped HTML, with `<mark>` around what it found. Nothing of it runs. */
function Fragment({ text }: { readonly text: string }) {
  return text.split(/<\/?mark>/).map((part, at) => {
    const plain = unescaped(part)
    return at % 2 === 1 ? <mark key={`${at}`}>{plain}</mark> : plain
  })
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

function unescaped(html: string): string {
  return html.replaceAll(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => entities[name] ?? whole)
}

/** The value of a field in a list. What it refers to is named. */
export function Cell({ field, value }: { readonly field: Field; readonly value: unknown }) {
  const { at } = useBranch()
  const column = columnOf(field)
  const { data } = useQuery({
    ...queryOptions(quire, 'items.get', { ...at, id: textOf(value), select: ['id', 'name'] }),
    enabled: column === 'item' && typeof value === 'string',
    staleTime: 60_000,
  })
  if (value === undefined || value === null) return ''
  if (column === 'time' && typeof value === 'number') return <When time={value} />
  if (column === 'category') return <CategoryName id={textOf(value)} />
  if (column === 'item') return <bdi>{data?.name ?? textOf(value)}</bdi>
  return <span dir="auto">{textOf(value).slice(0, 120)}</span>
}

function CategoryName({ id }: { readonly id: string }) {
  const found = useCategories(null).find((one) => one.id === id)
  return <bdi>{found?.name ?? id}</bdi>
}
