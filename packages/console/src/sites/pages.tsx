import { mutationOptions, queryOptions } from '@quire/client/query'
import type { SiteNode } from '@quire/client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { siteSearch, type SiteSearch } from '../content/search.ts'
import { Act } from '../controls/act.tsx'
import { Field } from '../controls/field.tsx'
import { Loaded } from '../controls/loaded.tsx'
import { Problem } from '../controls/problem.tsx'
import { quire, sentOnce } from '../service.ts'
import { useReorder } from '../trees/reorder.ts'
import { Tree } from '../trees/tree.tsx'
import { useWords } from '../words/language.tsx'
import { useSite } from './at.ts'
import { PageForm } from './page-form.tsx'
import { Preview } from './preview.tsx'

const route = getRouteApi('/$repo/sites/$siteId')

/** The sections and pages of a site as a tree, and a preview of the chosen page. */
export function SitePages() {
  const { sites: words } = useWords()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { at } = useSite()
  const tree = useQuery(queryOptions(quire, 'sites.tree', at))
  const change = (changed: SiteSearch) =>
    void navigate({ search: (before) => siteSearch({ ...before, ...changed }), replace: true })
  return (
    <section>
      <h2>{words.tree}</h2>
      <Loaded query={tree}>
        {({ items }) => {
          const chosen = items.find(({ id }) => id === search.node)
          // Without a choice, the home page is previewed.
          const previewed = chosen ?? items.find(isHome)
          return (
            <div className="site">
              <div>
                <Nodes
                  nodes={items}
                  chosen={chosen}
                  onChoose={(node) => change({ node: node ?? undefined })}
                />
                {chosen?.kind === 'page' && <PageForm key={chosen.id} pageId={chosen.id} />}
              </div>
              <Preview
                path={previewed?.kind === 'page' ? previewed.path : null}
                time={search.at}
                onTime={(time) => change({ at: time })}
              />
            </div>
          )
        }}
      </Loaded>
    </section>
  )
}

function isHome({ kind, path }: SiteNode): boolean {
  return kind === 'page' && path === ''
}

interface NodesProps {
  readonly nodes: readonly SiteNode[]
  readonly chosen: SiteNode | undefined
  readonly onChoose: (id: string | null) => void
}

/** What makes a mutation of both kinds: pages are always in a section. */
function Nodes({ nodes, chosen, onChoose }: NodesProps) {
  const { sites: words } = useWords()
  const { at, reason } = useSite()
  const isPage = (id: string) => nodes.some((node) => node.id === id && node.kind === 'page')
  const create = useMutation(mutationOptions(quire, 'sections.create', sentOnce))
  const update = (input: { readonly id: string; readonly name?: string; readonly order?: number }) =>
    (isPage(input.id) ? quire.pages : quire.sections).update({ ...at, ...input })
  const moveTo = (id: string, parentId: string | null, order?: number): Promise<unknown> => {
    const input = { ...at, id, ...(order !== undefined && { order }) }
    return isPage(id)
      ? quire.pages.move({ ...input, sectionId: parentId ?? '' })
      : quire.sections.move({ ...input, parentId })
  }
  const rename = useMutation({
    mutationFn: (input: { id: string; name: string }): Promise<unknown> => update(input),
  })
  const move = useMutation({
    mutationFn: ({ id, parentId }: { id: string; parentId: string | null }) => moveTo(id, parentId),
  })
  const ordering = useReorder({ move: moveTo, number: (id, order) => update({ id, order }) })
  const remove = useMutation({
    mutationFn: (id: string): Promise<unknown> =>
      (isPage(id) ? quire.pages : quire.sections).delete({ ...at, id }),
    onSuccess: () => onChoose(null),
  })
  const why = reason('sites.update')
  return (
    <>
      <Problem error={create.error ?? rename.error ?? move.error ?? ordering.error ?? remove.error} />
      <Tree
        label={words.tree}
        nodes={nodes.map(({ kind, visible, path, ...node }) => ({
          ...node,
          isLeaf: kind === 'page',
          note: [`/${path}`, visible ? '' : words.hidden].filter(Boolean).join(' · '),
        }))}
        reasons={{ create: why, update: why, delete: why }}
        isBusy={ordering.isPending}
        onCreate={(name, parentId) => create.mutate({ ...at, name, parentId })}
        onRename={(id, name) => rename.mutate({ id, name })}
        onMove={(id, parentId) => move.mutate({ id, parentId })}
        onReorder={(id, parentId, siblings) =>
          // Pages and sections of a section are ordered among their like.
          ordering.mutate({
            id,
            parentId,
            siblings: siblings.filter((one) => isPage(one) === isPage(id)),
            nodes,
          })
        }
        onDelete={(id) => remove.mutate(id)}
        selected={chosen?.id ?? null}
        onSelect={onChoose}
      />
      {chosen?.kind === 'section' && <NewPage section={chosen} onDone={onChoose} />}
    </>
  )
}

function NewPage({ section, onDone }: { readonly section: SiteNode; readonly onDone: (id: string) => void }) {
  const { sites: words } = useWords()
  const { at, reason } = useSite()
  const [name, setName] = useState('')
  const create = useMutation({
    ...mutationOptions(quire, 'pages.create', sentOnce),
    onSuccess: ({ id }) => onDone(id),
  })
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault()
        if (!create.isPending) create.mutate({ ...at, sectionId: section.id, name: name.trim() })
      }}
    >
      <Field label={words.newPage(section.name)} value={name} onChange={setName} isRequired />
      <Act submits reason={reason('sites.update')} isBusy={create.isPending}>
        {words.createIt}
      </Act>
      <Problem error={create.error} />
    </form>
  )
}
