import { queryOptions } from '@quire/client/query'
import type {
  AssetField,
  CategoryField,
  CategoryNode,
  ContentType,
  ReadItem,
  ReferenceField,
} from '@quire/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useId, useState, type KeyboardEvent } from 'react'
import { Act } from '../controls/act.tsx'
import { quire } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { useBranch } from './at.ts'
import type { InputProps } from './inputs.tsx'
import { pictureUrl } from './picture.ts'
import { Upload, type UploadOptions } from './upload.tsx'

/** Something that a reference can refer to. */
interface Target {
  readonly id: string
  readonly name: string
  readonly note: string
  readonly picture: string | null
}

/** So many are offered; who wants another types more of its name. */
const mostOffered = 8

/** An item by its name: what is typed is searched. */
export function ReferenceInput(props: InputProps<ReferenceField>) {
  const { types } = props.field.settings
  const assetTypes = useAssetTypes().filter(({ name }) => types.includes(name))
  const [first] = types.length === assetTypes.length ? assetTypes : []
  return (
    <ItemPick
      {...props}
      types={types}
      upload={first && !props.isSearch ? { accept: first.settings.mimeTypes, type: first.name } : null}
    />
  )
}

/** An asset by its name, or a new one from a file. */
export function AssetInput(props: InputProps<AssetField>) {
  const types = useAssetTypes().map(({ name }) => name)
  return (
    <ItemPick
      {...props}
      types={types}
      upload={props.isSearch ? null : { accept: props.field.settings.mimeTypes, type: undefined }}
    />
  )
}

/** A category by its name. */
export function CategoryInput(props: InputProps<CategoryField>) {
  const words = useSearchWords()
  const categories = useCategories(props.field.settings.taxonomyId)
  const text = words.text.toLocaleLowerCase()
  const fitting = categories.filter(({ name }) => name.toLocaleLowerCase().includes(text))
  const current = categories.find(({ id }) => id === props.value)
  return (
    <Picked
      {...props}
      words={words}
      current={current}
      targets={fitting.slice(0, mostOffered)}
      upload={null}
    />
  )
}

/** What is typed into a combobox, and whether its list is open. */
interface SearchWords {
  readonly text: string
  readonly setText: (text: string) => void
  readonly isOpen: boolean
  readonly setOpen: (isOpen: boolean) => void
}

function useSearchWords(): SearchWords {
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  return { text, setText, isOpen, setOpen }
}

/** The value of a control that chooses something. */
type Chosen = Pick<InputProps, 'value' | 'onChange' | 'ids'>

interface ItemPickProps extends Chosen {
  /** The content types of what it can refer to; empty: any. */
  readonly types: readonly string[]
  readonly upload: UploadOptions | null
}

/** An item of some content types, by its name. */
export function ItemPick({ types, ...props }: ItemPickProps) {
  const { at } = useBranch()
  const words = useSearchWords()
  const id = typeof props.value === 'string' ? props.value : undefined
  const list = useQuery({
    ...queryOptions(quire, 'items.list', {
      ...at,
      ...(words.text !== '' && { text: words.text }),
      ...(types.length > 0 && { filter: { type: { in: [...types] } } }),
      limit: mostOffered,
      skipCount: true,
      sort: '-updatedDate',
    }),
    enabled: words.isOpen,
    placeholderData: keepPreviousData,
  })
  const { data: item } = useQuery({
    ...queryOptions(quire, 'items.get', { ...at, id: id ?? '' }),
    enabled: id !== undefined,
  })
  const targets = (list.data?.items ?? []).map(targetOf)
  return <Picked {...props} words={words} current={item && targetOf(item)} targets={targets} />
}

interface PickedProps extends Chosen {
  readonly words: SearchWords
  /** What the value refers to, as far as it is known. */
  readonly current: Target | undefined
  readonly targets: readonly Target[]
  readonly upload: UploadOptions | null
}

/** What is chosen, with a way to choose something else. */
function Picked(props: PickedProps) {
  const { editor: words } = useWords()
  const { value, onChange, ids, current, upload } = props
  const [isChanging, setChanging] = useState(false)
  if (typeof value === 'string' && !isChanging)
    return (
      <span className="row picked">
        {typeof current?.picture === 'string' && <img src={current.picture} alt="" />}
        <bdi>{current?.name ?? value}</bdi> <small>{current?.note}</small>
        <button
          type="button"
          id={ids.id}
          aria-describedby={ids.describedBy}
          onClick={() => setChanging(true)}
        >
          {words.change}
        </button>
        <Act onAct={() => onChange(undefined)}>{words.clear}</Act>
      </span>
    )
  const choose = (chosen: string) => {
    setChanging(false)
    onChange(chosen)
  }
  const search = <Search {...props} onChoose={({ id }) => choose(id)} onClose={() => setChanging(false)} />
  if (upload === null) return search
  return (
    <Upload {...upload} onDone={choose}>
      {search}
    </Upload>
  )
}

interface SearchProps extends Pick<PickedProps, 'ids' | 'words' | 'targets'> {
  readonly onChoose: (target: Target) => void
  readonly onClose: () => void
}

/** A combobox (ARIA 1.2): arrows choose, Enter takes, Escape closes. */
function Search({ ids, words: { text, setText, isOpen, setOpen }, targets, onChoose, onClose }: SearchProps) {
  const { editor: words } = useWords()
  const list = useId()
  const [active, setActive] = useState(0)
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

/** The content types of files. */
function useAssetTypes(): readonly ContentType[] {
  const { data } = useQuery(queryOptions(quire, 'types.list', {}))
  return (data?.items ?? []).filter(({ settings }) => settings.isAsset)
}

function targetOf(item: ReadItem): Target {
  const { id, name = id, type = '' } = item
  return { id, name, note: type, picture: pictureUrl(item, 'thumbnail') }
}

/** The categories of a taxonomy, or of all, with the name of their taxonomy. */
export function useCategories(taxonomyId: string | null): readonly Target[] {
  const { at, reason } = useBranch()
  const { data } = useQuery({
    enabled: reason('taxonomies.read') === null,
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
  })
  return data ?? []
}
