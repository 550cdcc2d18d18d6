import type { Item } from '@quire/client'
import { describe, expect, it, vi } from 'vitest'
import { changedMembers, contentOf, Editing, type Content, type Draft } from './editing.ts'

const base: Content = {
  name: 'Ink',
  slug: 'ink',
  description: '',
  folderId: null,
  categories: ['CATG_1'],
  fields: {
    title: 'Ink',
    body: 'One.',
    blocks: [
      { type: 'quote', words: 'a' },
      { type: 'quote', words: 'b' },
    ],
  },
}

function editingOf(draft: Partial<Draft> = {}) {
  const stored: (Draft | null)[] = []
  const editing = new Editing(
    { version: 3, base, content: base, ...draft },
    {
      read: () => null,
      write: (one) => stored.push(one) > 0,
      clear: () => {
        stored.push(null)
        return true
      },
    },
    'en',
  )
  return { editing, stored }
}

/** What the service answers: only the members that the editor reads. */
function itemOf({ categories, ...content }: Content, currentVersion: number): Item {
  const taxonomies = [{ id: 'TAXO_1', name: 'T', categories: categories.map((id) => ({ id, name: id })) }]
  return { ...content, taxonomies, currentVersion } as unknown as Item
}

const withFields = (fields: Record<string, unknown>): Content => ({
  ...base,
  fields: { ...base.fields, ...fields },
})

describe('what somebody edits', () => {
  it('is sent as the members that differ, and null for what was removed', () => {
    const { editing } = editingOf()
    editing.set(['fields', 'title'], 'Ink stays')
    editing.set(['fields', 'body'], undefined)
    editing.set(['categories'], [])
    expect(changedMembers(editing.draft)).toEqual({
      categories: [],
      fields: { title: 'Ink stays', body: null },
    })
    expect(changedMembers({ version: 3, base, content: contentOf(itemOf(base, 3)) })).toEqual({})
  })

  it('is written to the browser once it is painted, and before the page goes away', () => {
    vi.useFakeTimers()
    const { editing, stored } = editingOf()
    editing.set(['name'], 'Ink 1')
    editing.set(['name'], 'Ink 12')
    expect(stored).toEqual([])
    vi.advanceTimersByTime(30)
    expect(stored.map((draft) => draft?.content.name)).toEqual(['Ink 12'])
    editing.set(['name'], 'Ink 123')
    editing.flush()
    expect(stored.at(-1)?.content.name).toBe('Ink 123')
    editing.set(['name'], 'Ink')
    editing.flush()
    expect(stored.at(-1)).toBeNull()
    vi.useRealTimers()
  })

  it('goes on from a save: what was typed meanwhile stays, and what others changed is there', () => {
    const { editing } = editingOf()
    editing.set(['fields', 'blocks', 0, 'words'], 'a1')
    const sent = editing.draft.content
    editing.set(['fields', 'blocks', 0, 'words'], 'a12')
    editing.set(['name'], 'Ink!')
    const blocks = [
      { type: 'quote', words: 'a1' },
      { type: 'quote', words: 'b of others' },
    ]
    editing.advance(itemOf(withFields({ title: 'Title of others', blocks }), 5), sent)
    expect(editing.draft).toMatchObject({
      version: 5,
      content: {
        name: 'Ink!',
        fields: { title: 'Title of others', blocks: [{ words: 'a12' }, { words: 'b of others' }] },
      },
    })
    expect(Object.keys(changedMembers(editing.draft))).toEqual(['name', 'fields'])
  })

  it('stays based on what it was where others and later keystrokes changed one text', () => {
    const { editing } = editingOf()
    editing.set(['fields', 'body'], 'One. Two.')
    const sent = editing.draft.content
    editing.set(['fields', 'body'], 'One. Two. Three.')
    editing.advance(itemOf(withFields({ body: 'Zero.\nOne. Two.' }), 5), sent)
    expect(editing.draft).toMatchObject({
      version: 3,
      base,
      content: { fields: { body: 'One. Two. Three.' } },
    })
  })

  it('has issues of the service at its own paths, without the locale', () => {
    const { editing } = editingOf()
    editing.report([
      { path: 'fields.title.en', message: 'is required' },
      { path: 'fields.blocks.0.words', message: 'is long' },
    ])
    expect(editing.issues.map(({ path }) => path)).toEqual(['fields.title', 'fields.blocks.0.words'])
  })

  it('keeps a text that is no JSON yet, and counts as changed by it', () => {
    const { editing } = editingOf()
    editing.setText(['fields', 'data'], '{ "a":')
    expect([editing.isChanged, editing.textAt(['fields', 'data'])]).toEqual([true, '{ "a":'])
    editing.setText(['fields', 'data'], undefined)
    expect(editing.isChanged).toBe(false)
  })
})
