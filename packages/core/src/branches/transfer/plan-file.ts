import { type ChangeKind, ExportedType, type ImportPlan, parseAs, QuireError } from '@quire/contract'
import { type Call, requirePermission } from '../../engine/call.ts'
import { digest } from '../../engine/digest.ts'
import { mainOf, type Scope } from '../../engine/scope.ts'
import { changedEntity, changeKind, type PlannedChange } from '../packages/change.ts'
import { serializeConflict } from '../packages/plan.ts'
import { refKey } from '../packages/sides.ts'
import type { Incoming, Intake } from './incoming.ts'
import { pagesOfFile } from './pages.ts'
import { mostListed, type OpenedFile } from './opened-file.ts'
import { planPage, type PagePlan } from './plan-page.ts'
import { planDeletes } from './prune.ts'
import { PublishedTargets } from './published-targets.ts'
import { requireValidType } from '../../content/types/definition.ts'
import { isRefusal } from '../../engine/errors.ts'
import type { Memo } from '../../engine/shared.ts'
import type { Stored } from '../../ports/index.ts'
import { linesOf, type Archive } from './archive.ts'
import { jsonOf } from './content.ts'

/** What is left to do after planning. */
export interface Pending {
  readonly types: readonly ExportedType[]
  readonly deletes: readonly PlannedChange[]
}

/** Collects the plan of a file, page by page. */
class PlanBuilder {
  readonly counts: ImportPlan['counts'] = {
    create: 0,
    update: 0,
    delete: 0,
    unchanged: 0,
    convert: 0,
    refuse: 0,
    conflicts: 0,
  }
  readonly changes: ImportPlan['changes'] = []
  readonly conflicts: ImportPlan['conflicts'] = []
  #state: string

  constructor(start: string) {
    this.#state = start
  }

  async addPage(page: PagePlan): Promise<void> {
    this.#state = await digest(`${this.#state}\n${page.state}`)
    this.counts.unchanged += page.unchanged
    for (const change of page.changes) {
      this.addChange(change, change.incoming.at)
      this.counts.convert += Number(change.incoming.isConverted)
    }
    for (const change of page.conflicts) this.addConflicts(change)
  }

  addChange({ head, theirs, merged }: PlannedChange, at: string): void {
    const kind = changeKind(theirs, merged)
    this.counts[countedAs(kind)] += 1
    if (this.changes.length < mostListed) this.changes.push({ entity: changedEntity(head), kind, at })
  }

  addConflicts(change: PlannedChange): void {
    this.counts.conflicts += change.conflicts.length
    for (const conflict of change.conflicts)
      if (this.conflicts.length < mostListed) this.conflicts.push(serializeConflict(change, conflict))
  }

  get planId(): string {
    return this.#state
  }
}

function countedAs(kind: ChangeKind): 'create' | 'update' | 'delete' {
  if (kind === 'delete') return 'delete'
  return kind === 'create' || kind === 'restore' ? 'create' : 'update'
}

/** Plans the whole file, and writes nothing but its files. */
export async function planFile(
  call: Call,
  file: OpenedFile,
): Promise<{ plan: ImportPlan; pending: Pending }> {
  const { archive, manifest, input, intake, scope, refused } = file
  const types = await newTypes(call, archive, intake)
  const options = [input.id, input.package ?? null, input.prune, input.roles]
  const builder = new PlanBuilder(await digest(`${archive.hash}\n${JSON.stringify(options)}`))
  const known = await planPages(withTypes(call, types), file, builder)
  const covered = { known, folderId: manifest.folderId }
  const deletes = input.prune ? await planDeletes(call, mainOf(scope), covered) : []
  for (const change of deletes)
    if (change.conflicts.length > 0) builder.addConflicts(change)
    else builder.addChange(change, 'manifest.json')
  const { counts, changes, conflicts, planId } = builder
  const plan: ImportPlan = {
    planId: await digest(
      `${planId}\n${deletes.map(({ head }) => `${refKey(head)} ${head.revision}`).join('\n')}`,
    ),
    applied: false,
    package: input.package ?? null,
    counts: { ...counts, refuse: refused.count },
    types: types.map(({ name }) => name),
    changes,
    refuse: refused.first,
    conflicts,
  }
  return { plan, pending: { types, deletes: deletes.filter((change) => change.conflicts.length === 0) } }
}

/** Plans every line of a file. Returns what is in it, by `refKey`. */
async function planPages(
  call: Call,
  { input, intake, manifest, scope, history }: OpenedFile,
  builder: PlanBuilder,
): Promise<ReadonlySet<string>> {
  const target = input.package === undefined ? mainOf(scope) : plannedPackage(scope)
  const known = new Set<string>()
  const structure: PlannedChange[] = []
  const all: PlannedChange[] = []
  const targets = new PublishedTargets(mainOf(scope))
  const claims = new Map<string, string>()
  for await (const { page, isDeletion } of pagesOfFile(call, intake, manifest)) {
    for (const { head } of page) known.add(refKey(head))
    const distinct = isDeletion ? page : await withoutDuplicates(call, { page, claims, intake })
    const before = isDeletion ? all : structure
    const planned = await planPage(call, { scope: target, history, before }, distinct)
    for (const { incoming, issue } of planned.refused)
      intake.refuse({ at: incoming.at, id: incoming.line.id, ...issue })
    await builder.addPage(planned)
    // A package checks what it publishes when it is merged.
    if (input.package === undefined) await targets.addPage(call, planned.changes)
    // Items refer to each other freely, but to structure only if it exists.
    structure.push(...planned.changes.filter(({ head }) => head.kind !== 'item'))
    // What a package deletes may only be referred to by what it changes.
    if (manifest.extent === 'package') all.push(...planned.changes)
  }
  for (const refusal of targets.refusals()) intake.refuse(refusal)
  return known
}

/** The scope of a package that does not exist yet. It shows main. */
function plannedPackage(scope: Scope): Scope {
  return { ...scope, branch: { ...scope.branch, packageId: 'any' } }
}

/** Refuses what shares a slug, a name or a unique value with an earlier line. */
async function withoutDuplicates(
  call: Call,
  { page, claims, intake }: { page: readonly Incoming[]; claims: Map<string, string>; intake: Intake },
): Promise<readonly Incoming[]> {
  const distinct: Incoming[] = []
  for (const incoming of page) {
    const { at, rules, line, content } = incoming
    const all = (
      await rules.claims(call, { type: line.type, repositoryId: intake.scope.repository.id }, content)
    ).map((claim) => `${rules.kind} ${claim}`)
    const taken = all.map((claim) => claims.get(claim)).find((holder) => holder !== undefined)
    for (const claim of all) claims.set(claim, at)
    if (taken === undefined) distinct.push(incoming)
    else
      intake.refuse({
        at,
        id: line.id,
        path: '',
        message: `has the same name, slug or unique value as ${taken}`,
      })
  }
  return distinct
}

/**
 * The content types of a file that do not exist here. A type that exists stays as it is, even if it
 * differs: the items are checked against it. Refuses a type that cannot be created.
 */
async function newTypes(call: Call, archive: Archive, { refuse }: Intake): Promise<readonly ExportedType[]> {
  const created: ExportedType[] = []
  for await (const { at, text } of linesOf(archive, 'types/type')) {
    const no = (path: string, message: string) => refuse({ at, id: null, path, message })
    const parsed = parseAs(ExportedType, jsonOf(text))
    if ('issues' in parsed) {
      for (const { path, message } of parsed.issues) no(path, message)
      continue
    }
    const type = parsed.value
    if (await call.store.records.find('type', `name:${type.name}`)) continue
    const problem = await problemOf(call, type)
    if (problem) no(problem.path, problem.message)
    else created.push(type)
  }
  return created
}

async function problemOf(call: Call, type: ExportedType): Promise<{ path: string; message: string } | null> {
  try {
    requirePermission(call, 'admin.types.update')
    await requireValidType(type)
    return null
  } catch (error) {
    if (!(error instanceof QuireError) || !isRefusal(error)) throw error
    return error.issues?.[0] ?? { path: '', message: error.message }
  }
}

/** A call that finds content types as if they had been created, for a plan. */
function withTypes(call: Call, types: readonly ExportedType[]): Call {
  const planned = new Map(types.map((type) => [`type:${type.name}`, asStored(type)]))
  const get: Memo['get'] = (records, key, compute) => {
    const type = planned.get(key)
    // The key says that it is a type.
    return type ? (Promise.resolve(type) as ReturnType<typeof compute>) : call.memo.get(records, key, compute)
  }
  return { ...call, memo: { ...call.memo, get } }
}

function asStored(type: ExportedType): Stored<'type'> {
  return { ...type, id: '', isLocked: false, createdDate: 0, updatedDate: 0, revision: 0 }
}
