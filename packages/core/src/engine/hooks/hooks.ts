import type {
  AnyContent,
  Category,
  EventMessage,
  Folder,
  ItemOf,
  Page,
  Section,
  Site,
  Taxonomy,
} from '@quire/contract'
import type { Principal } from '../access/identity.ts'
import type { InputNamed, OperationName } from '../operation-name.ts'

/**
 * Functions of the app that take part in saves, by versioned kind. They run in this process, for
 * every way in which something is saved (see the guide).
 */
export type Hooks<C extends object = AnyContent> = {
  readonly [K in HookKind]?: KindHooks<K, C>
} & {
  /**
   * Milliseconds that `before`, and each call of `after`, may take. At twice, a hook that hangs
   * delays its callers twice as long. Default: 5 000.
   */
  readonly timeoutMs?: number
}

/** The hooks of one kind. */
export interface KindHooks<K extends HookKind, C extends object = AnyContent> {
  /**
   * Runs outside of any transaction, before something is created or changed by what a caller sent.
   * Returns the input to use instead, or undefined to leave it as it is. The input is then checked
   * like any caller's: its form, and what the caller may do. It must name the same thing. May be
   * called again for a call that is repeated. Errors: `refuse([…])`; any other error is a fault of
   * the hook, a 500 without details for the caller.
   */
  before?(save: BeforeSave<K, C>): object | undefined | Promise<object | undefined>
  /**
   * Runs inside the transaction, for every head that is written. Synchronous and pure: it may only
   * refuse, and may run twice. Errors: `refuse([…])`; any other error is a fault of the hook.
   */
  check?(change: Change<K, C>): void
  /**
   * Runs once after the commit, in the process that committed: one event at a time, in the order of
   * the commits. No caller waits for it, and errors are only logged. Lost in a crash.
   */
  after?(event: EventMessage, context: { readonly signal: AbortSignal }): void | Promise<void>
}

/** The versioned kinds. An asset is an item. */
export type HookKind = keyof typeof operationsBefore

/**
 * The operations that save what a caller sends: `before` runs for them, however they are called.
 * All others that save something, such as a merge, run only `check`.
 */
export const operationsBefore = {
  item: ['items.create', 'items.update', 'items.move', 'items.copy', 'assets.create'],
  folder: ['folders.create', 'folders.update', 'folders.move'],
  taxonomy: ['taxonomies.create', 'taxonomies.update'],
  category: ['categories.create', 'categories.update', 'categories.move'],
  site: ['sites.create', 'sites.update'],
  section: ['sections.create', 'sections.update', 'sections.move'],
  page: ['pages.create', 'pages.update', 'pages.move'],
} as const satisfies Readonly<Record<string, readonly OperationName[]>>

/** The hooks as they are. Errors: TypeError for a name that would never be called. */
export function knownHooks(hooks: Hooks): Hooks {
  refuseUnknown('hooks', hooks, [...Object.keys(operationsBefore), 'timeoutMs'])
  for (const [kind, own] of Object.entries(hooks))
    refuseUnknown(`hooks.${kind}`, Object(own), ['before', 'check', 'after'])
  return hooks
}

function refuseUnknown(path: string, given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new TypeError(`${path}.${unknown} would never be called: the names are ${known.join(', ')}.`)
}

type OperationBefore<K extends HookKind> = (typeof operationsBefore)[K][number]

/** What is about to be saved; `operation` tells which input it is. */
export type BeforeSave<K extends HookKind = HookKind, C extends object = AnyContent> = {
  readonly [N in OperationBefore<K>]: SaveBy<N, K, C>
}[OperationBefore<K>]

interface SaveBy<N extends OperationName, K extends HookKind, C extends object> extends HookContext {
  readonly kind: K
  readonly operation: N
  /** A copy of the validated input, frozen, without its file. */
  readonly input: Omit<InputNamed<N>, 'file'>
  /** What is stored now, frozen; the original of a copy; null if it is new. */
  readonly current: HookShapes<C>[K] | null
  /** The file of a new asset, which is already stored; null if there is none. */
  readonly file: HookFile | null
  /** The repository, and the package to be changed; null: main, or a package that is still to be created. */
  readonly repositoryId: string
  readonly packageName: string | null
  /** Aborted at the time limit, and when the caller goes away. */
  readonly signal: AbortSignal
}

/** A head that is about to be written. */
export interface Change<K extends HookKind = HookKind, C extends object = AnyContent> extends HookContext {
  readonly kind: K
  /** What the branch shows now, frozen; null if there is nothing, or it is deleted. */
  readonly before: HookShapes<C>[K] | null
  /** What it will show, frozen; null if it is deleted. */
  readonly after: HookShapes<C>[K] | null
}

/** Who saves. */
interface HookContext {
  readonly principal: { readonly kind: Principal['kind']; readonly id: string; readonly name: string }
  readonly requestId: string
}

/** A stored file. */
export interface HookFile {
  readonly fileName: string
  readonly mimeType: string
  /** Bytes. */
  readonly size: number
  /** Pixels of an image; null for everything else. */
  readonly width: number | null
  readonly height: number | null
}

/** What is stored of each kind: as the API returns it, but without the names of other things. */
export interface HookShapes<C extends object = AnyContent> {
  readonly item: StoredItem<ItemOf<C>>
  readonly folder: Omit<Folder, 'path'>
  readonly taxonomy: Taxonomy
  readonly category: Omit<Category, 'path'>
  readonly site: Site
  readonly section: Omit<Section, 'path'>
  readonly page: Omit<Page, 'path'>
}

/** Items have the ids of their categories instead of their taxonomies. */
type StoredItem<I> = I extends unknown
  ? Omit<I, 'taxonomies'> & { readonly categories: readonly string[] }
  : never
