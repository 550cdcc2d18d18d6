import { mutationOptions, queryOptions } from '@quire/client/query'
import type { Taxonomy } from '@quire/client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBranch } from '../content/at.ts'
import { Act } from '../controls/act.tsx'
import { Delete } from '../controls/delete.tsx'
import { Field } from '../controls/field.tsx'
import { Loaded } from '../controls/loaded.tsx'
import { Problem } from '../controls/problem.tsx'
import { Title } from '../controls/title.tsx'
import { quire } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { useReorder } from './reorder.ts'
import { Tree } from './tree.tsx'

/** The taxonomies of a branch, with their categories. */
export function Taxonomies() {
  const { trees: words } = useWords()
  const { at, reason } = useBranch()
  const [name, setName] = useState('')
  const list = useQuery(queryOptions(quire, 'taxonomies.list', { ...at, limit: 100 }))
  const create = useMutation(mutationOptions(quire, 'taxonomies.create'))
  return (
    <>
      <Title>{words.categories}</Title>
      <p>{words.lead}</p>
      <Loaded query={list}>
        {({ items }) => items.map((one) => <Categories key={one.id} taxonomy={one} />)}
      </Loaded>
      <form
        className="panel row"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate({ ...at, name: name.trim() }, { onSuccess: () => setName('') })
        }}
      >
        <Field label={words.newTaxonomy} value={name} onChange={setName} isRequired />
        <Act submits reason={reason('taxonomies.create')} isBusy={create.isPending}>
          {words.create}
        </Act>
        <Problem error={create.error} />
      </form>
    </>
  )
}

function Categories({ taxonomy: { id: taxonomyId, name } }: { readonly taxonomy: Taxonomy }) {
  const { trees: words } = useWords()
  const { at, reason } = useBranch()
  const of = { ...at, taxonomyId }
  const list = useQuery(queryOptions(quire, 'categories.list', { ...of, limit: 1000 }))
  const create = useMutation(mutationOptions(quire, 'categories.create'))
  const update = useMutation(mutationOptions(quire, 'categories.update'))
  const move = useMutation(mutationOptions(quire, 'categories.move'))
  const ordering = useReorder({
    move: (id, parentId, order) => quire.categories.move({ ...of, id, parentId, order }),
    number: (id, order) => quire.categories.update({ ...of, id, order }),
  })
  const remove = useMutation(mutationOptions(quire, 'categories.delete'))
  const drop = useMutation(mutationOptions(quire, 'taxonomies.delete'))
  return (
    <section>
      <div className="row">
        <h2 dir="auto">{name}</h2>
        <span className="space" />
        {reason('taxonomies.delete') === null && (
          <Delete
            name={name}
            text={words.deleteTaxonomy}
            reason={null}
            isBusy={drop.isPending}
            onYes={() => drop.mutate({ ...at, id: taxonomyId })}
          />
        )}
      </div>
      <Problem
        error={create.error ?? update.error ?? move.error ?? ordering.error ?? remove.error ?? drop.error}
      />
      <Loaded query={list}>
        {({ items }) => (
          <Tree
            label={name}
            nodes={items}
            reasons={{
              create: reason('taxonomies.create'),
              update: reason('taxonomies.update'),
              delete: reason('taxonomies.delete'),
            }}
            isBusy={ordering.isPending}
            onCreate={(called, parentId) => {
              const orders = items.flatMap((one) => (one.parentId === parentId ? [one.order] : []))
              // Where nobody has put any in order, they are ordered by name.
              const order = orders.every((one) => one === 0) ? 0 : Math.max(...orders) + 1
              create.mutate({ ...of, name: called, parentId, order })
            }}
            onRename={(id, called) => update.mutate({ ...of, id, name: called })}
            onMove={(id, parentId) => move.mutate({ ...of, id, parentId })}
            onReorder={(id, parentId, siblings) => ordering.mutate({ id, parentId, siblings, nodes: items })}
            onDelete={(id) => remove.mutate({ ...of, id })}
          />
        )}
      </Loaded>
    </section>
  )
}
