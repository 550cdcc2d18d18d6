import { queryOptions } from '@quire/client/query'
import type { ReadItem } from '@quire/client'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useBranch, type At } from '../content/at.ts'
import { useChosen } from '../content/chosen.ts'
import { pictureUrl } from '../content/picture.ts'
import { branchSearch, listSearch, type ListSearch } from '../content/search.ts'
import { Act } from '../controls/act.tsx'
import { Choice } from '../controls/choice.tsx'
import { Loaded } from '../controls/loaded.tsx'
import { Pager } from '../controls/pager.tsx'
import { Problem } from '../controls/problem.tsx'
import { SearchForm } from '../controls/search-form.tsx'
import { Title } from '../controls/title.tsx'
import { quire } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { DropZone } from './drop-zone.tsx'
import { UploadList, useSizeText } from './upload-list.tsx'

const route = getRouteApi('/$repo/assets')

/** Tiles of a page. */
const perPage = 48

/** The files of a branch as pictures. Which ones is part of the address. */
export function AssetGrid() {
  const { at } = useBranch()
  // What is chosen is of one branch.
  return <Grid key={JSON.stringify(at)} />
}

function Grid() {
  const { assets: words, content } = useWords()
  const search = route.useSearch()
  const { at, localized } = useBranch()
  const types = useQuery(queryOptions(quire, 'types.list', {}))
  const named = (types.data?.items ?? []).filter(({ settings }) => settings.isAsset).map(({ name }) => name)
  const list = useQuery({
    ...queryOptions(quire, 'items.list', {
      ...at,
      ...localized,
      ...(search.text !== undefined && { text: search.text }),
      ...(search.folder !== undefined && { folderId: search.folder }),
      ...(search.cursor !== undefined && { cursor: search.cursor }),
      filter: { type: { in: search.type === undefined ? named : [search.type] } },
      sort: '-createdDate',
      limit: perPage,
    }),
    enabled: types.data !== undefined,
    placeholderData: keepPreviousData,
  })
  const { chosen, choose, chooseNone } = useChosen()
  return (
    <>
      <Title>{words.title}</Title>
      <Filter key={`${search.text} ${search.folder}`} search={search} types={named} />
      <DropZone folderId={search.folder} type={search.type}>
        <UploadList />
        {chosen.size > 0 && <Chosen at={at} ids={[...chosen]} onDone={chooseNone} />}
        <Loaded query={list}>
          {({ items, nextCursor, count }) => (
            <>
              <p role="status">{count === undefined ? '' : content.count(count)}</p>
              {items.length === 0 && <p>{words.none}</p>}
              <ul className="tiles">
                {items.map((item) => (
                  <Tile
                    key={item.id}
                    item={item}
                    isChosen={chosen.has(item.id)}
                    onChoose={(isChosen) => choose([item.id], isChosen)}
                  />
                ))}
              </ul>
              <Pager cursor={search.cursor} nextCursor={nextCursor} />
            </>
          )}
        </Loaded>
      </DropZone>
    </>
  )
}

interface FilterProps {
  readonly search: ListSearch
  readonly types: readonly string[]
}

function Filter({ search, types }: FilterProps) {
  const { content: words, editor } = useWords()
  const navigate = route.useNavigate()
  const { at, reason } = useBranch()
  const folders = useQuery({
    ...queryOptions(quire, 'folders.tree', at),
    enabled: reason('folders.read') === null,
  })
  // Another filter begins with its first page.
  const change = (changed: ListSearch) =>
    void navigate({
      search: (before) => listSearch({ ...before, cursor: undefined, ...changed }),
      replace: true,
    })
  return (
    <div className="row">
      <SearchForm text={search.text} onSearch={(text) => change({ text })} />
      {types.length > 1 && (
        <Choice
          label={words.type}
          options={{ '': words.anyType, ...Object.fromEntries(types.map((name) => [name, name])) }}
          value={search.type ?? ''}
          onChange={(type) => change({ type })}
        />
      )}
      {folders.data && (
        <Choice
          label={editor.folder}
          options={{
            '': words.anyFolder,
            ...Object.fromEntries(folders.data.items.map(({ id, name }) => [id, name])),
          }}
          value={search.folder ?? ''}
          onChange={(folder) => change({ folder })}
        />
      )}
    </div>
  )
}

interface TileProps {
  readonly item: ReadItem
  readonly isChosen: boolean
  readonly onChoose: (isChosen: boolean) => void
}

function Tile({ item, isChosen, onChoose }: TileProps) {
  const { content: words } = useWords()
  const { repo } = route.useParams()
  const search = route.useSearch()
  const size = useSizeText()
  const { id, name = id, asset } = item
  const picture = pictureUrl(item, 'small')
  return (
    <li className="tile">
      <Link to="/$repo/content/$id/file" params={{ repo, id }} search={branchSearch({ ...search })}>
        {picture === null ? (
          <span className="no-picture" aria-hidden="true">
            {item.fileExtension ?? asset?.mimeType}
          </span>
        ) : (
          <img src={picture} alt="" loading="lazy" />
        )}
        <span dir="auto">{name}</span>
      </Link>
      <span className="row">
        <input
          type="checkbox"
          aria-label={words.choose(name)}
          checked={isChosen}
          onChange={({ target }) => onChoose(target.checked)}
        />
        <small>{[asset?.mimeType, asset && size(asset.size)].filter(Boolean).join(' · ')}</small>
      </span>
    </li>
  )
}

interface ChosenProps {
  readonly at: At
  readonly ids: readonly string[]
  readonly onDone: () => void
}

/** What can be done with all chosen files: one archive of them. */
function Chosen({ at, ids, onDone }: ChosenProps) {
  const { assets: words, content } = useWords()
  const { reason } = useBranch()
  const zip = useMutation({
    mutationFn: async () => {
      const archive = await quire.assets.zip({ ...at, ids: [...ids] })
      save(new Blob([new Uint8Array(await archive.bytes())], { type: archive.mimeType }), archive.fileName)
    },
    onSuccess: onDone,
  })
  return (
    <div className="panel row">
      <strong>{content.chosen(ids.length)}</strong>
      <Act reason={reason('assets.download')} isBusy={zip.isPending} onAct={() => zip.mutate()}>
        {words.zip}
      </Act>
      <Act onAct={onDone}>{words.chooseNone}</Act>
      <Problem error={zip.error} />
    </div>
  )
}

/** Has the browser save something as a file. */
function save(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // Some browsers read it only after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
