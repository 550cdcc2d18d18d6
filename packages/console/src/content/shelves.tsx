import { queryOptions } from '@quire/client/query'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Loaded } from '../controls/loaded.tsx'
import { quire } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { useBranch } from './at.ts'
import { useValue } from './editing.ts'

/** The folder and the categories of an item. */
export function Shelves() {
  const { editor: words } = useWords()
  const [isOpen, setOpen] = useState(false)
  const { reason } = useBranch()
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{words.shelves}</summary>
      {isOpen && reason('folders.read') === null && <Folder />}
      {isOpen && (reason('taxonomies.read') === null ? <Categories /> : <p>{reason('taxonomies.read')}</p>)}
    </details>
  )
}

function Folder() {
  const { editor: words } = useWords()
  const id = useId()
  const { at } = useBranch()
  const tree = useQuery(queryOptions(quire, 'folders.tree', at))
  const [folderId, setFolderId] = useValue(['folderId'])
  return (
    <Loaded query={tree}>
      {({ items }) => (
        <div className="field">
          <label htmlFor={id}>{words.folder}</label>
          <select
            id={id}
            value={typeof folderId === 'string' ? folderId : ''}
            onChange={({ target }) => setFolderId(target.value === '' ? null : target.value)}
          >
            <option value="">{words.noFolder}</option>
            {items.map((folder) => (
              <option key={folder.id} value={folder.id}>
                {`${'\u00a0\u00a0'.repeat(folder.depth - 1)}${folder.name}`}
              </option>
            ))}
          </select>
        </div>
      )}
    </Loaded>
  )
}

function Categories() {
  const { at } = useBranch()
  const taxonomies = useQuery(queryOptions(quire, 'taxonomies.list', { ...at, limit: 100 }))
  return (
    <Loaded query={taxonomies}>
      {({ items }) => items.map(({ id, name }) => <Taxonomy key={id} taxonomyId={id} name={name} />)}
    </Loaded>
  )
}

function Taxonomy({ taxonomyId, name }: { readonly taxonomyId: string; readonly name: string }) {
  const { at } = useBranch()
  const list = useQuery(queryOptions(quire, 'categories.list', { ...at, taxonomyId, limit: 1000 }))
  const [value, setValue] = useValue(['categories'])
  const chosen = new Set<unknown>(Array.isArray(value) ? value : [])
  const set = (id: string, isChosen: boolean) => {
    const others = [...chosen].filter((one) => one !== id)
    setValue(isChosen ? [...others, id] : others)
  }
  return (
    <fieldset className="group">
      <legend dir="auto">{name}</legend>
      <Loaded query={list}>
        {({ items }) => (
          <span className="row">
            {items.map((category) => (
              <label key={category.id} className="choice">
                <input
                  type="checkbox"
                  checked={chosen.has(category.id)}
                  onChange={({ target }) => set(category.id, target.checked)}
                />
                <bdi>{category.name}</bdi>
              </label>
            ))}
          </span>
        )}
      </Loaded>
    </fieldset>
  )
}
