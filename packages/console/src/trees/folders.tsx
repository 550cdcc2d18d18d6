import { mutationOptions, queryOptions } from '@quire/client/query'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useBranch } from '../content/at.ts'
import { listSearch } from '../content/search.ts'
import { Loaded } from '../controls/loaded.tsx'
import { Problem } from '../controls/problem.tsx'
import { Title } from '../controls/title.tsx'
import { quire } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { Tree } from './tree.tsx'

const route = getRouteApi('/$repo/folders')

/** The folders of a branch. */
export function Folders() {
  const { trees: words } = useWords()
  const { repo } = route.useParams()
  const search = route.useSearch()
  const { at, reason } = useBranch()
  const tree = useQuery(queryOptions(quire, 'folders.tree', at))
  const create = useMutation(mutationOptions(quire, 'folders.create'))
  const update = useMutation(mutationOptions(quire, 'folders.update'))
  const move = useMutation(mutationOptions(quire, 'folders.move'))
  const remove = useMutation(mutationOptions(quire, 'folders.delete'))
  return (
    <>
      <Title>{words.folders}</Title>
      <p>{words.lead}</p>
      <Problem error={create.error ?? update.error ?? move.error ?? remove.error} />
      <Loaded query={tree}>
        {({ items }) => (
          <Tree
            label={words.folders}
            nodes={items}
            reasons={{
              create: reason('folders.create'),
              update: reason('folders.update'),
              delete: reason('folders.delete'),
            }}
            onCreate={(name, parentId) => create.mutate({ ...at, name, parentId })}
            onRename={(id, name) => update.mutate({ ...at, id, name })}
            onMove={(id, parentId) => move.mutate({ ...at, id, parentId })}
            onDelete={(id) => remove.mutate({ ...at, id })}
            more={({ id }) => (
              <Link to="/$repo/content" params={{ repo }} search={listSearch({ ...search, folder: id })}>
                {words.items}
              </Link>
            )}
          />
        )}
      </Loaded>
    </>
  )
}
