import { queryOptions } from '@quire/client/query'
import type { CategoryNode, ContentType, Field, ReadItem } from '@quire/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useId, useState, type KeyboardEvent } from 'react'
import { Act } from '../controls/act.tsx'
import { quire, serviceUrl } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { useBranch } from './at.ts'
import type { InputProps } from './inputs.tsx'
import { Upload } from './upload.tsx'

/** Something that a reference can refer to. */
interface Target {
  readonly id: string
  readonly name: string
  readonly note: string
  readonly picture: string | null
}

/** So many are offered; who wants another types more of its name. */
const mostOffered = 8

/** An item, an asset or a category by its name: what is typed is searched. */
export function PickInput(props: InputProps) {
  const { editor: words } = useWords()
  const { field, value, onChange, ids } = props
  const [isOpen, setOpen] = useState(false)
  const id = typeof value === 'string' ? value : undefined
  const current = useTarget(field, id)
  const assetTypes = useAssetTypes(field)
  if (id !== undefined && !isOpen)
    return (
      <span className="row picked">
        {typeof current?.picture === 'string' && <img src={current.picture} alt="" />}
        <bdi>{current?.name ?? id}</bdi> <small>{current?.note}</small>
        <button type="button" id={ids.id} aria-describedby={ids.describedBy} onClick={() => setOpen(true)}>
          {words.change}
        </button>
        <Act onAct={() => onChange(undefined)}>{words.clear}</Act>
      </span>
    )
  const choose = (chosen: string) => {
    setOpen(false)
    onChange(chosen)
  }
  const search = (
    <Search {...props} onChoose={({ id: chosen }) => choose(chosen)} onClose={() => setOpen(false)} />
  )
  const [first] = assetTypes
  if (first === undefined) return search
  const accept = field.kind === 'asset' ? field.settings.mimeTypes : first.settings.mimeTypes
  return (
    <Upload accept={accept} type={field.kind === 'asset' ? undefined : first.name} onDone={choose}>
      {search}
    </Upload>
  )
}

interface SearchProps extends InputProps {
  readonly onChoose: (target: Target) => void
  readonly onClose: () => void
}

/** A combobox (ARIA 1.2): arrows choose, Enter takes, Escape closes. */
function Search({ field, ids, onChoose, onClose }: SearchProps) {
  const { editor: words } = useWords()
  const list = useId()
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const [isOpen, setOpen] = useState(false)
  const targets = useTargets(field, text, isOpen)
  const chosen = targets[Math.min(active, targets.length - 1)]
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setOpen(true)
      setActive((at) => Math.max(0, Math.min(targets.length - 1, at + step)))
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault()
      if (chosen) onChoose(chosen)
    } else if (event.key === 'Escape') onClose()
  }
  return (
    <span className="combobox">
      <input
        id={ids.id}
        aria-describedby={ids.describedBy}
        role="combobox"
        autoComplete="off"
        dir="auto"
        aria-expanded={isOpen && targets.length > 0}
        aria-controls={list}
        aria-activedescendant={isOpen && chosen ? `${list}-${chosen.id}` : undefined}
        placeholder={words.searchFor}
        value={text}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={press}
        onChange={({ target }) => {
          setText(target.value)
          setActive(0)
          setOpen(true)
        }}
      />
      <span role="listbox" id={list} aria-label={words.searchFor} hidden={!isOpen || targets.length === 0}>
        {targets.map((target) => (
          <span
            key={target.id}
            id={`${list}-${target.id}`}
            role="option"
            aria-selected={target === chosen}
            tabIndex={-1}
            // The control must not lose the focus before the click.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(target)}
          >
            {target.picture !== null && <img src={target.picture} alt="" />}
            <bdi>{target.name}</bdi> <small>{target.note}</small>
          </span>
        ))}
      </span>
    </span>
  )
}

/** What a field can refer to whose name has these words. */
function useTargets(field: Field, text: string, isOpen: boolean): readonly Target[] {
  const { at } = useBranch()
  const categories = useCategories(field)
  const types = useTypesFor(field)
  const { data } = useQuery({
    ...queryOptions(quire, 'items.list', {
      ...at,
      ...(text !== '' && { text }),
      ...(types.length > 0 && { filter: { type: { in: [...types] } } }),
      limit: mostOffered,
      skipCount: true,
      sort: '-updatedDate',
    }),
    enabled: isOpen && field.kind !== 'category',
    placeholderData: keepPreviousData,
  })
  if (field.kind === 'category')
    return categories
      .filter(({ name }) => name.toLocaleLowerCase().includes(text.toLocaleLowerCase()))
      .slice(0, mostOffered)
  return (data?.items ?? []).map((item) => targetOf(item, at.packageName))
}

/** The content types of files that a field can refer to; empty for a field that cannot refer to files alone. */
function useAssetTypes(field: Field): readonly ContentType[] {
  const isOf = field.kind === 'asset' || field.kind === 'reference'
  const { data } = useQuery({ ...queryOptions(quire, 'types.list', {}), enabled: isOf })
  const all = (data?.items ?? []).filter(({ settings }) => settings.isAsset)
  if (field.kind === 'asset') return all
  if (field.kind !== 'reference') return []
  const { types } = field.settings
  return types.length > 0 && types.every((type) => all.some(({ name }) => name === type))
    ? all.filter(({ name }) => types.includes(name))
    : []
}

/** The names of the content types of what a field can refer to; empty: any. */
function useTypesFor(field: Field): readonly string[] {
  const assetTypes = useAssetTypes(field)
  return field.kind === 'reference' ? field.settings.types : assetTypes.map(({ name }) => name)
}

/** What a field refers to now. */
function useTarget(field: Field, id: string | undefined): Target | undefined {
  const { at } = useBranch()
  const categories = useCategories(field)
  const { data } = useQuery({
    ...queryOptions(quire, 'items.get', { ...at, id: id ?? '' }),
    enabled: id !== undefined && field.kind !== 'category',
  })
  if (field.kind === 'category') return categories.find((one) => one.id === id)
  return data && targetOf(data, at.packageName)
}

function targetOf(
  { id, name = id, type = '', repositoryId, asset }: ReadItem,
  packageName: string | undefined,
): Target {
  const branch = packageName === undefined ? '' : `/_package/${encodeURIComponent(packageName)}`
  const isPicture = asset?.mimeType.startsWith('image/') === true
  return {
    id,
    name,
    note: type,
    picture: isPicture ? `${serviceUrl}/api/assets/${repositoryId}${branch}/${id}/thumbnail` : null,
  }
}

/** The categories that a field of this kind may have, with the name of their taxonomy. */
function useCategories(field: Field): readonly Target[] {
  const { at } = useBranch()
  const isOf = field.kind === 'category'
  const taxonomyId = isOf ? field.settings.taxonomyId : null
  const { data } = useQuery({
    queryKey: ['quire', 'categories', 'list', at, taxonomyId],
    queryFn: async ({ signal }) => {
      const { items } = await quire.taxonomies.list({ ...at, limit: 100 }, { signal })
      const fitting = items.filter(({ id }) => taxonomyId === null || taxonomyId === id)
      const trees = await Promise.all(
        fitting.map(async ({ id, name }) => {
          const { items: nodes } = await quire.categories.list(
            { ...at, taxonomyId: id, limit: 1000 },
            { signal },
          )
          return nodes.map((node: CategoryNode) => ({
            id: node.id,
            name: node.name,
            note: name,
            picture: null,
          }))
        }),
      )
      return trees.flat()
    },
    enabled: isOf,
  })
  return data ?? []
}
