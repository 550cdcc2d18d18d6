import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Issue, Item } from '@quire/client'

/** What a save of the editor can change of an item. */
export interface Content {
  readonly name: string
  readonly slug: string
  readonly description: string
  readonly folderId: string | null
  /** The ids of categories. */
  readonly categories: readonly string[]
  readonly fields: Readonly<Record<string, unknown>>
}

const ownMembers = ['name', 'slug', 'description', 'folderId', 'categories'] as const

/** A content that somebody edits, and what it was when they began. */
export interface Draft {
  /** The version that was read. */
  readonly version: number
  readonly base: Content
  readonly content: Content
  /** What was typed where JSON belongs and is none yet, by path. */
  readonly texts?: Readonly<Record<string, string>>
}

/** Members of a content, from the outside in: `['fields', 'blocks', 3, 'words']`. */
export type Path = readonly (string | number)[]

/** What a person edits, outside of React: a keystroke renders the one control that it is about. */
export class Editing {
  #draft: Draft
  #issues: readonly Issue[] = []
  #isStored = true
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #listeners = new Set<() => void>()
  readonly #store: DraftStore
  readonly #locale: string | undefined

  constructor(draft: Draft, store: DraftStore, locale: string | undefined) {
    this.#draft = draft
    this.#store = store
    this.#locale = locale
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get draft(): Draft {
    return this.#draft
  }

  get issues(): readonly Issue[] {
    return this.#issues
  }

  get isChanged(): boolean {
    const { base, content, texts = {} } = this.#draft
    return !isSame(base, content) || Object.keys(texts).length > 0
  }

  /** Whether the browser has what is typed: its storage can be full. */
  get isStored(): boolean {
    return this.#isStored
  }

  textAt(path: Path): string | undefined {
    return this.#draft.texts?.[dotted(path)]
  }

  /** Keeps a text that is no value yet; undefined: it is one now. */
  setText(path: Path, text: string | undefined): void {
    const { [dotted(path)]: _before, ...texts } = this.#draft.texts ?? {}
    this.#replace({ ...this.#draft, texts: text === undefined ? texts : { ...texts, [dotted(path)]: text } })
  }

  valueAt(path: Path): unknown {
    return valueAt(this.#draft.content, path)
  }

  /** Sets a member, and keeps the whole draft in the browser. */
  set(path: Path, value: unknown): void {
    this.#replace({ ...this.#draft, content: withValue(this.#draft.content, path, value) as Content })
  }

  /**
   * The path that a text of the service stands for. What has a value in each locale has the locale in it
   * there, `fields.title.en`, and not here, where one locale is edited.
   */
  pathOf(text: string): Path {
    const path = pathOf(text)
    const at = path.findIndex((member, index) => index > 1 && member === this.#locale)
    if (at < 0) return path
    const value = this.valueAt(path.slice(0, at))
    const isMember = typeof value === 'object' && value !== null && Object.hasOwn(value, path[at] ?? '')
    return isMember ? path : path.toSpliced(at, 1)
  }

  /** Says which members the service found wrong. */
  report(issues: readonly Issue[]): void {
    this.#issues = issues.map(({ path, message }) => ({ path: dotted(this.pathOf(path)), message }))
    this.#notify()
  }

  /** Begins anew with what the service has. */
  restart(item: Item): void {
    const base = contentOf(item)
    this.#issues = []
    this.#replace({ version: item.currentVersion, base, content: base })
  }

  /**
   * Goes on from a saved item. What was typed since `sent` was sent stays. If others changed the same
   * text meanwhile, the draft stays based on what it was: the next save merges, or asks.
   */
  advance(item: Item, sent: Content): void {
    const base = contentOf(item)
    const content = merged(sent, this.#draft.content, base)
    this.#issues = []
    if (content === clash) this.#notify()
    // Three contents give a content.
    else this.#replace({ ...this.#draft, version: item.currentVersion, base, content: content as Content })
  }

  /** Writes what is not written yet: before the page goes away. */
  flush(): void {
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    const isStored = this.isChanged ? this.#store.write(this.#draft) : this.#store.clear()
    if (isStored === this.#isStored) return
    this.#isStored = isStored
    this.#notify()
  }

  #replace(draft: Draft): void {
    this.#draft = draft
    // After this keystroke is painted: writing a long item takes longer than that.
    this.#timer ??= setTimeout(() => this.flush(), 30)
    this.#notify()
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }
}

/** Where drafts are between two visits. */
export interface DraftStore {
  readonly read: () => Draft | null
  /** Returns whether there was room for it. */
  readonly write: (draft: Draft) => boolean
  readonly clear: () => true
}

/** What the editor shows of an item. */
export function contentOf({ name, slug, description, folderId, taxonomies, fields }: Item): Content {
  const categories = taxonomies.flatMap((taxonomy) => taxonomy.categories.map(({ id }) => id))
  return { name, slug, description, folderId, categories, fields }
}

/** The input members of a save: those that differ from the base. Null removes a field. */
export function changedMembers({ base, content }: Draft): Partial<Content> {
  const names = new Set([...Object.keys(base.fields), ...Object.keys(content.fields)])
  const fields = [...names].filter((name) => !isSame(base.fields[name], content.fields[name]))
  const own = ownMembers.filter((name) => !isSame(base[name], content[name]))
  return {
    ...Object.fromEntries(own.map((name) => [name, content[name]])),
    ...(fields.length > 0 && {
      fields: Object.fromEntries(fields.map((name) => [name, content.fields[name] ?? null])),
    }),
  }
}

/** Whether two JSON values are the same, in whatever order their members are. What they share costs nothing. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].every((name) => isSame(Reflect.get(one, name), Reflect.get(other, name)))
}

/** Both sides changed the same value. */
const clash = Symbol('clash')

/** What two sides made of a value, member by member; `clash` where they changed the same one. */
function merged(before: unknown, ours: unknown, theirs: unknown): unknown {
  if (isSame(ours, before) || isSame(ours, theirs)) return theirs
  if (isSame(theirs, before)) return ours
  const sides: readonly unknown[] = [before, ours, theirs]
  if (!areAlike(sides)) return clash
  const names = new Set(sides.slice(1).flatMap((side) => Object.keys(side)))
  const members = [...names].map((name) => {
    const [from, mine, other] = sides.map((side): unknown => Reflect.get(side, name))
    return [name, merged(from, mine, other)] as const
  })
  if (members.some(([, value]) => value === clash)) return clash
  const present = Object.fromEntries(members.filter(([, value]) => value !== undefined))
  return Array.isArray(ours) ? Object.values(present) : present
}

/** Whether values are objects, or lists of as many entries. */
function areAlike(values: readonly unknown[]): values is readonly object[] {
  const lengths = values.map((value) => (Array.isArray(value) ? value.length : typeof value))
  return values.every((value) => typeof value === 'object' && value !== null) && new Set(lengths).size === 1
}

/** The path in the dot notation of the service. */
export function dotted(path: Path): string {
  return path.join('.')
}

/** The path that a text in dot notation stands for. */
export function pathOf(text: string): Path {
  return text.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))
}

/** A member of a value; undefined where there is none. */
export function valueAt(value: unknown, [member, ...rest]: Path): unknown {
  if (member === undefined) return value
  if (typeof value !== 'object' || value === null) return undefined
  return valueAt(Reflect.get(value, member), rest)
}

/** A copy of a value with a member set. What is on the way there is created; undefined removes it. */
export function withValue(value: unknown, [member, ...rest]: Path, next: unknown): unknown {
  if (member === undefined) return next
  if (Array.isArray(value)) return value.with(Number(member), withValue(value[Number(member)], rest, next))
  const members: Record<string, unknown> = typeof value === 'object' && value !== null ? { ...value } : {}
  const inner = withValue(members[member], rest, next)
  if (inner === undefined) delete members[member]
  else members[member] = inner
  return members
}

/** The key of the saves of an editor among all changes. */
export const saveKey = ['save'] as const

/** What the controls of a view edit. */
export const EditingContext = createContext<Editing | null>(null)

/** Errors: throws outside of an editor. */
export function useEditing(): Editing {
  const editing = useContext(EditingContext)
  if (!editing) throw new Error('This control is for an editor.')
  return editing
}

/** A member that is edited, and what sets it. */
export function useValue(path: Path): readonly [value: unknown, set: (value: unknown) => void] {
  const editing = useEditing()
  const value = useSyncExternalStore(editing.subscribe, () => editing.valueAt(path))
  return [value, (next) => editing.set(path, next)]
}

/** The number of entries of a list: who shows it is not drawn again when one of them changes. */
export function useLength(path: Path): number {
  const editing = useEditing()
  return useSyncExternalStore(editing.subscribe, () => entriesAt(editing, path).length)
}

/** The entries of a list; none where there is no list. */
export function entriesAt(editing: Editing, path: Path): readonly unknown[] {
  const value = editing.valueAt(path)
  return Array.isArray(value) ? value : []
}

/** What is wrong with a member, in the words of the service; null: nothing. */
export function useIssue(path: Path): string | null {
  const editing = useEditing()
  const name = dotted(path)
  return useSyncExternalStore(
    editing.subscribe,
    () => editing.issues.find((issue) => issue.path === name)?.message ?? null,
  )
}
