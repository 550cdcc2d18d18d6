import {
  limits,
  QuireError,
  type Contract,
  type ExportManifest,
  type ImportPlan,
  type OutputOf,
} from '@quire/contract'
import { valueOf } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { requireRefusal } from '../../engine/errors.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { requireQuotaFor } from '../../engine/quotas.ts'
import { takeImportSlot } from '../../engine/take-slots.ts'
import { findPackage, findScope, mainOf, type Scope } from '../../engine/scope.ts'
import { iterated } from '../../engine/served-bytes.ts'
import type { StoredBlob } from '../../ports/index.ts'
import { requireUnreservedName } from '../packages/names.ts'
import { applyDeletes, applyPage } from './apply.ts'
import { openArchive } from './archive.ts'
import type { Incoming, Intake } from './incoming.ts'
import { pagesOfFile } from './pages.ts'
import { openFile, type ImportInput, type OpenedFile } from './opened-file.ts'
import { planFile, type Pending } from './plan-file.ts'
import { planPage } from './plan-page.ts'

type Import = Contract['repositories']['import']

/**
 * Plans an import, or plans and applies it. Errors: `not_found`, `forbidden`; `invalid` for a file
 * that is no export; `plan_stale`; `import_refused`; `merge_conflict` on main; `name_taken` for the
 * package.
 */
export async function importRepository(call: Call, input: ImportInput): Promise<OutputOf<Import>> {
  const scope = await findScope(call, { configId: input.id })
  if (input.prune && input.package !== undefined)
    throw invalid([{ path: 'prune', message: 'deletes only on main: import without `package`' }])
  if (input.package !== undefined) await requireNewPackage(call, scope, input.package)
  // Taken before the file arrives: planning takes as long as reading it.
  const release = takeImportSlot(call)
  try {
    const archive = await openArchive(call, await receive(call, scope, input.file))
    const file = await openFile(call, scope, { archive, input })
    const { plan, pending } = await planFile(call, file)
    if (input.dryRun) return plan
    requireApplicable(plan, input)
    return await applyFile(call, file, { plan, pending })
  } finally {
    release()
  }
}

/** Errors: `name_taken`, `invalid` for a reserved name. */
async function requireNewPackage(call: Call, { repository }: Scope, name: string): Promise<void> {
  requireUnreservedName(name, 'package')
  const found = await findPackage(call, repository.id, name).catch((error: unknown) => {
    if (error instanceof QuireError && error.code === 'not_found') return null
    throw error
  })
  if (found) throw new QuireError('name_taken', `There is already a package "${name}": name a new one.`)
}

/** Stores the file, to read it as often as needed. It is swept some time after the import. */
async function receive(call: Call, scope: Scope, file: ImportInput['file']): Promise<StoredBlob> {
  await requireQuotaFor(call, scope.repository.id, { bytes: file.size ?? 0, versions: 1 })
  return call.environment.blobs.put(iterated(file.stream()))
}

/** Errors: `plan_stale`, `import_refused`, `merge_conflict`. */
function requireApplicable({ planId, counts, refuse, conflicts }: ImportPlan, input: ImportInput): void {
  if (input.planId !== undefined && input.planId !== planId)
    throw new QuireError(
      'plan_stale',
      'The repository or the file has changed since this plan was made: review the new plan first.',
      {
        details: { planId },
      },
    )
  if (counts.refuse > 0)
    throw new QuireError('import_refused', `${refuse[0]?.at}: ${refuse[0]?.path} ${refuse[0]?.message}`, {
      details: { count: counts.refuse, refuse: refuse.slice(0, limits.issues) },
    })
  if (counts.conflicts > 0 && input.package === undefined)
    throw new QuireError(
      'merge_conflict',
      `The file and main conflict in ${counts.conflicts} places: import it into a package, and resolve them there.`,
      { conflicts, details: { count: counts.conflicts, planId } },
    )
}

/** Applies a plan, in one transaction a page. */
async function applyFile(
  call: Call,
  file: OpenedFile,
  { plan, pending }: { plan: ImportPlan; pending: Pending },
): Promise<ImportPlan> {
  const { scope, intake, history, input, manifest, refused } = file
  for (const type of pending.types) await call.invoke('types.create', type)
  const { create, update, conflicts, delete: deleted } = plan.counts
  const isEmpty = create + update + conflicts + deleted === pending.deletes.length
  const target =
    input.package === undefined || isEmpty ? mainOf(scope) : await createTarget(call, scope, input.package)
  if (!isEmpty) await writePages(call, { scope: target, history, intake }, manifest)
  if (pending.deletes.length > 0)
    await call.write((call) => applyDeletes(call, mainOf(scope), pending.deletes))
  const { counts } = plan
  return {
    ...plan,
    applied: true,
    counts: { ...counts, refuse: refused.count },
    refuse: refused.first,
  }
}

async function createTarget(call: Call, scope: Scope, name: string): Promise<Scope> {
  const repo = scope.repository.id
  const created = valueOf(await call.invoke('packages.create', { repo, name, description: '' }))
  const found = await findPackage(call, repo, name)
  return { ...scope, package: found, branch: { ...scope.branch, packageId: created.id } }
}

interface Target {
  readonly scope: Scope
  readonly history: OpenedFile['history']
  readonly intake: Intake
}

/** A line that could not be written. */
interface Late {
  readonly incoming: Incoming
  readonly error: QuireError
}

// Lines that wait for others, in memory. What takes a name that another line gives up is rare.
const mostLate = 1000

// How often they are tried: each time, those follow that waited for the ones before.
const mostTries = 10

/**
 * Writes all pages, and then once more what could not be written: a later line may have given up the
 * name, the slug or the unique value that it takes. Refuses the rest.
 */
async function writePages(call: Call, target: Target, manifest: ExportManifest): Promise<void> {
  const yieldToLoop = yieldingToLoop()
  let late: Late[] = []
  for await (const { page } of pagesOfFile(call, target.intake, manifest)) {
    late.push(...(await writePage(call, target, page)))
    for (const line of late.splice(mostLate)) refuse(target, line)
    await yieldToLoop()
  }
  for (let tries = 0; late.length > 0 && tries < mostTries; tries++) {
    const again: Late[] = []
    for (const { incoming } of late) again.push(...(await writePage(call, target, [incoming])))
    const isStuck = again.length === late.length
    late = again
    if (isStuck) break
  }
  for (const line of late) refuse(target, line)
}

function refuse({ intake }: Target, { incoming: { at, line }, error: { message } }: Late): void {
  intake.refuse({ at, id: line.id, path: '', message })
}

/**
 * Writes a page. If a line of it cannot be written, because somebody has changed main since the plan
 * or because of the order, the lines are written one by one. Returns those that could not be written.
 */
async function writePage(call: Call, target: Target, page: readonly Incoming[]): Promise<readonly Late[]> {
  try {
    await writeLines(call, target, page)
    return []
  } catch (thrown) {
    const error = requireRefusal(thrown, call.requestId)
    const [incoming] = page
    if (incoming && page.length === 1) return [{ incoming, error }]
  }
  const late: Late[] = []
  for (const incoming of page) late.push(...(await writePage(call, target, [incoming])))
  return late
}

function writeLines(call: Call, { scope, history }: Target, page: readonly Incoming[]): Promise<void> {
  return call.write(async (call) => {
    const planned = await planPage(call, { scope, history, before: [] }, page)
    const [refused] = planned.refused
    if (refused) throw new QuireError('forbidden', `${refused.issue.path} ${refused.issue.message}`.trim())
    const [conflict] = planned.conflicts
    if (conflict && scope.package === null)
      throw new QuireError('merge_conflict', 'Somebody has changed it here since the plan was made.')
    await applyPage(call, scope, [...planned.changes, ...(scope.package ? planned.conflicts : [])])
  })
}
