import { QuireError, type ExportedHistory, type Issue } from '@quire/contract'
import { requireRoleListAccess } from '../../content/items/check.ts'
import { asContent, emptyContent } from '../../content/items/content.ts'
import { contentIssues, publicLocales } from '../../content/items/publish.ts'
import { isLive } from '../../content/merge/entity.ts'
import { typeOf } from '../../content/types/find.ts'
import { letsThrough } from '../../engine/access/role-lists.ts'
import { requirePermission, type Call } from '../../engine/call.ts'
import { isRefusal } from '../../engine/errors.ts'
import { mainOf, type Scope } from '../../engine/scope.ts'
import type { Branch, JsonObject } from '../../ports/index.ts'
import { withoutStateOfDeleted, isEffective } from '../packages/apply.ts'
import type { PlannedChange } from '../packages/change.ts'
import { conflictsOf } from '../packages/find-conflicts.ts'
import { mergeOne, strategiesByType } from '../packages/plan.ts'
import { mayReadHead, requirePublishing } from '../packages/rights.ts'
import { headsOf, refKey } from '../packages/sides.ts'
import { publicPast, type Incoming } from './incoming.ts'
import { isChanged, sidesOf, type IncomingSides } from './sides.ts'

/** A change that a file brings. */
export type IncomingChange = IncomingSides & PlannedChange

/** What the pages of a file are planned with. */
export interface Planning {
  /** The branch that the changes go to. */
  readonly scope: Scope
  /** Where the entities of the file come from, by `refKey`. */
  readonly history: ReadonlyMap<string, ExportedHistory>
  /** Changes of earlier pages that are not written yet, and that this page may refer to. */
  readonly before: readonly PlannedChange[]
}

/** The plan of a page. */
export interface PagePlan {
  /** Changes without conflicts, in the order of the file. */
  readonly changes: readonly IncomingChange[]
  readonly conflicts: readonly IncomingChange[]
  readonly refused: readonly { readonly incoming: Incoming; readonly issue: Issue }[]
  readonly unchanged: number
  /** Identifies the state of main that the plan is about. */
  readonly state: string
}

/** Plans a page of a file: merges each entity with main. Only reads. */
export async function planPage(
  call: Call,
  { scope, history, before }: Planning,
  page: readonly Incoming[],
): Promise<PagePlan> {
  const refs = page.map(({ head }) => head)
  const main = await headsOf(call.store.entities, mainOf(scope).branch, refs)
  const strategies = strategiesByType(call)
  const refused: { incoming: Incoming; issue: Issue }[] = []
  const merged: IncomingChange[] = []
  for (const incoming of page) {
    const key = refKey(incoming.head)
    const mainHead = main.get(key) ?? null
    const sides = await sidesOf(call, incoming, { mainHead, history: history.get(key) })
    const planned = withoutStateOfDeleted({ ...sides, ...(await mergeOne(sides, strategies)) })
    const change: IncomingChange = { ...sides, ...planned }
    if (!isWritten(scope, change)) continue
    const issue = await refusalOf(call, scope, change)
    if (issue) refused.push({ incoming, issue })
    else merged.push(change)
  }
  const together = await conflictsOf(call, scope, [...before, ...merged])
  const all = merged.map((change): IncomingChange => {
    const more = together.get(refKey(change.head)) ?? []
    return { ...change, conflicts: [...change.conflicts, ...more] }
  })
  return {
    changes: all.filter(({ conflicts }) => conflicts.length === 0),
    conflicts: all.filter(({ conflicts }) => conflicts.length > 0),
    refused,
    unchanged: page.length - merged.length - refused.length,
    state: refs.map((ref) => `${refKey(ref)} ${main.get(refKey(ref))?.revision ?? 0}`).join('\n'),
  }
}

/** Whether a change writes something: what it merges to, and a conflict; to a package only one of the file. */
export function isWritten({ package: found }: Scope, change: IncomingChange): boolean {
  if (change.conflicts.length === 0) return isEffective(change)
  return found === null || isChanged(change)
}

/** Why the caller may not make a change, or why it cannot be made; null if it can. */
async function refusalOf(call: Call, scope: Scope, change: IncomingChange): Promise<Issue | null> {
  try {
    requireAllowed(call, scope, change)
  } catch (error) {
    if (!(error instanceof QuireError) || !isRefusal(error)) throw error
    return error.issues?.[0] ?? { path: '', message: error.message }
  }
  return (await siteIssue(call, change)) ?? publishIssue(call, change)
}

/**
 * The rights on a site and its publication go by its id alone, so a site cannot be in two
 * repositories.
 */
async function siteIssue({ store }: Call, { head, mainHead }: IncomingChange): Promise<Issue | null> {
  if (head.kind !== 'site' || mainHead) return null
  for (const { id: repositoryId } of await store.records.list('repository'))
    if (await store.entities.get({ repositoryId, packageId: null }, 'site', head.id))
      return { path: 'id', message: 'a site with this id is in another repository of this installation' }
  return null
}

/** Errors: `forbidden`, `invalid`. */
function requireAllowed(call: Call, { branch }: Scope, change: IncomingChange): void {
  const { rules, head, mainHead, ours } = change
  const isNew = mainHead === null || mainHead.deletedDate !== null
  const changing = isNew ? 'create' : 'update'
  const action = ours.deleted ? 'delete' : changing
  requirePermission(call, rules.keys[action], { ...rules.target(head), ...branch })
  if (mainHead) requireMayChange(call, change)
  if (branch.packageId === null) {
    requirePublishing(call, [change])
    if (rules.states && publicPast(change.incoming).length > 0)
      requirePermission(call, rules.states.publishKey, { ...rules.target(head), ...branch })
  }
  if (head.kind === 'item') requireContentAllowed(call, branch, change)
}

/** Errors: `forbidden`. */
function requireContentAllowed(
  call: Call,
  branch: Branch,
  { head, theirs, merged, incoming }: IncomingChange,
): void {
  if (!isLive(merged)) return
  const contentOf = (content: JsonObject) => asContent(content, emptyContent)
  const before = theirs && contentOf(theirs.content)
  const after = contentOf(merged.content)
  requireRoleListAccess(call, { repositoryId: head.repositoryId, before, after })
  if (after.asset && after.asset.hash !== before?.asset?.hash)
    requirePermission(call, 'assets.upload', { ...branch, type: head.type })
  for (const { content } of incoming.past) {
    const past = contentOf(content)
    requireRoleListAccess(call, { repositoryId: head.repositoryId, before: null, after: past })
    if (past.asset) requirePermission(call, 'assets.upload', { ...branch, type: head.type })
  }
}

/** Errors: `forbidden`. */
function requireMayChange(call: Call, { mainHead, head, ours }: IncomingChange): void {
  const roles = mainHead?.roles[ours.deleted ? 'delete' : 'write'] ?? []
  const { repositoryId } = head
  const mayWrite = letsThrough(call.identity.permissions, { repositoryId, roles })
  if (mainHead && mayWrite && mayReadHead(call, mainHead) && mainHead.type === head.type) return
  const message =
    mainHead && mayReadHead(call, mainHead) && mainHead.type !== head.type
      ? `has the type "${mainHead.type}" here, not "${head.type}"`
      : 'there is something with this id here that you may not change'
  throw new QuireError('forbidden', message)
}

/** What would prevent publishing the content that the change publishes. */
async function publishIssue(
  call: Call,
  { head, mainHead, merged, incoming }: IncomingChange,
): Promise<Issue | null> {
  if (head.kind !== 'item') return null
  const type = await typeOf(call, head)
  const codes = publicLocales(mainHead && mainHead.publishedVersion !== null ? mainHead : head)
  const contents = [
    ...(merged?.published === 'head'
      ? [{ content: merged.content, codes: merged.publishedIn ?? codes }]
      : []),
    ...(incoming.published ? [{ content: incoming.published, codes }] : []),
    ...publicPast(incoming).map(({ content, publications }) => ({
      content,
      codes: publications ? Object.keys(publications) : null,
    })),
  ]
  for (const { content, codes: inLocales } of contents) {
    const [issue] = await contentIssues(type, asContent(content, emptyContent), inLocales)
    if (issue) return { ...issue, message: `cannot be published: ${issue.message}` }
  }
  return null
}
