import { QuireError, type PermissionKey } from '@quire/contract'
import { keptWho } from '../call/call-as.ts'
import { requirePermission, type Call } from '../call/call.ts'
import { newJob } from '../call/job.ts'
import { plainRecord } from '../call/records.ts'
import { rehearse } from '../call/rehearse.ts'
import { deletePackage } from '../packages/delete.ts'
import { openPackage, type PackagePlace } from '../packages/record.ts'
import type { PendingAction, Stored, Transaction, WorkflowRecord } from '../ports/index.ts'
import { settleKey, settleKind } from './kinds.ts'
import { actionRequest, startRequest, type EngineRequest, type WorkflowInput } from './engine-request.ts'
import { workflowFailed } from './failed.ts'
import { isRepeated, problemOf } from './rules.ts'
import { isAsking } from './transitions.ts'

/** What the engine is asked next. */
export interface Intended {
  readonly packageId: string
  readonly pending: PendingAction
  /** Whether that is what the caller wants; else it is what has to be settled before. */
  readonly isOwn: boolean
}

/** An event that is told to the engine. */
export interface ActionInput extends WorkflowInput {
  readonly event: PendingAction['event']
}

/** What permits each event. */
export const eventKeys: Readonly<Record<WorkflowInput['event'], PermissionKey>> = {
  start: 'workflow.start',
  approve: 'workflow.act',
  reject: 'workflow.act',
  route: 'workflow.act',
  cancel: 'workflow.act',
  assign: 'workflow.assign',
}

/** Where a workflow stands, for a caller who holds the key of an event. Errors: `not_found`, `forbidden`. */
export async function openReview(
  call: Call,
  { event, repositoryId, packageName }: WorkflowInput,
): Promise<{ place: PackagePlace; before: Stored<'workflow'> | null }> {
  const place = await openPackage(call, { repo: repositoryId, packageName }, eventKeys[event])
  return { place, before: await call.store.records.get('workflow', place.package.id) }
}

/**
 * Keeps what the engine is about to be asked, so that a process that ends before the answer is followed by one that asks again, with the
 * same key. What was asked before without an answer that tells is asked first. Errors: `not_found`, `forbidden`, `workflow_failed`,
 * `idempotency_mismatch`.
 */
export async function intend(call: Call, tx: Transaction, input: ActionInput): Promise<Intended> {
  const { place, before } = await openReview(call, input)
  requireSameRequest(call, before)
  const intended = isUnsettled(before, call.now)
    ? await askedBefore(call, { place, before, input })
    : { pending: await newPending(call, { place, before, input }), isOwn: true }
  const { id, repositoryId } = place.package
  const { pending } = intended
  const { connectionId } = pending
  const known = before ? plainRecord(before) : { connectionId, info: null, ended: null, held: [] }
  const record: WorkflowRecord = { ...known, id, repositoryId, pending }
  await tx.records.put('workflow', record, before?.revision ?? 0)
  await askAgainLater(call, tx, { record, pending })
  return { packageId: id, ...intended }
}

interface Asking {
  readonly place: PackagePlace
  readonly before: Stored<'workflow'> | null
  readonly input: ActionInput
}

/** Whether something was asked without an answer that tells, and is not given up. */
function isUnsettled(
  record: Stored<'workflow'> | null,
  now: number,
): record is Stored<'workflow'> & { pending: PendingAction } {
  return record?.pending?.isGivenUp === false && !isAsking(record, now)
}

/** What was asked before, once more: it is the caller's own where that wants the same. */
async function askedBefore(
  call: Call,
  { place, before, input }: Asking & { before: Stored<'workflow'> & { pending: PendingAction } },
): Promise<Pick<Intended, 'pending' | 'isOwn'>> {
  const request = await requestOf(call, { place, before, input }).catch(unlessRefused)
  const isOwn = request !== null && isRepeated(before.pending, { event: input.event, ...request })
  if (request !== null && !isOwn && isStartedAnew(before.pending, input))
    return { pending: await newPending(call, { place, before, input }), isOwn: true }
  return { pending: onceMore(call, before.pending, { isOwn }), isOwn }
}

/** Another workflow can be started in place of one of which nobody knows whether it began. */
function isStartedAnew({ event, isAdopted }: PendingAction, wanted: ActionInput): boolean {
  return event === 'start' && !isAdopted && wanted.event === 'start'
}

function unlessRefused(error: unknown): null {
  if (error instanceof QuireError && error.status < 500) return null
  throw error
}

/** The same action, asked again. */
function onceMore({ now, once }: Call, pending: PendingAction, { isOwn }: { isOwn: boolean }): PendingAction {
  const until = now + pending.timeoutMs
  const keys = isOwn && once ? [...pending.once.filter(({ name }) => name !== once.name), once] : pending.once
  return { ...pending, until, tries: pending.tries + 1, isGivenUp: false, once: keys }
}

/** A new action, or a start that was given up, which is asked again. Errors: `workflow_failed`. */
async function newPending(call: Call, { place, before, input }: Asking): Promise<PendingAction> {
  const { event, comment, targetStep } = input
  const { state } = place.package
  const problem = problemOf({ event, targetStep }, { state, record: before, at: call.now })
  if (problem !== null) throw workflowFailed(problem, before)
  const request = await requestOf(call, { place, before, input })
  if (event === 'cancel') await requireDeletable(call, place)
  const last = before?.pending
  if (last && isRepeated(last, { event, ...request })) return onceMore(call, last, { isOwn: true })
  const { environment, identity, now, once } = call
  return {
    ...request,
    id: environment.ids.next('WFAC'),
    event,
    user: identity.ref,
    who: keptWho(call),
    ...(comment !== undefined && { comment }),
    ...(targetStep !== undefined && { targetStep }),
    sentAt: now,
    until: now + request.timeoutMs,
    tries: 1,
    isOvertaken: false,
    isAdopted: false,
    isGivenUp: false,
    once: once ? [once] : [],
  }
}

function requestOf(call: Call, { place, before, input }: Asking): Promise<EngineRequest> {
  return input.event === 'start' ? startRequest(call, place, input) : actionRequest(call, before, input)
}

/** Errors: `idempotency_mismatch` for a key under which something else is being asked. */
function requireSameRequest({ once }: Call, record: Stored<'workflow'> | null): void {
  const known = record?.pending?.once.find(({ name }) => name === once?.name)
  if (known && known.request !== once?.request) throw new QuireError('idempotency_mismatch')
}

/** To cancel is to delete. Errors: those of the deletion. */
async function requireDeletable(call: Call, { repository, package: found }: PackagePlace): Promise<void> {
  requirePermission(call, 'packages.delete', { repositoryId: repository.id })
  await rehearse(call, (inner) => deletePackage(inner, { repo: repository.id, packageName: found.name }))
}

/** Ms after the time of an answer from which on somebody else asks. */
const graceMs = 1000

/** How often a job asks, within some minutes. */
const tries = 6

/** Queues that the engine is asked again, in case that nobody is left who waits for the answer. */
async function askAgainLater(
  call: Call,
  tx: Transaction,
  { record, pending }: { record: WorkflowRecord; pending: PendingAction },
): Promise<void> {
  const key = settleKey(pending.id)
  const queued = await tx.jobs.findUnended(key)
  if (queued?.state === 'queued') await tx.jobs.cancel(queued.id, call.now)
  // One that runs finds that somebody waits, and comes again.
  if (queued?.state === 'running') return
  const { repositoryId, id: subject } = record
  const about = { kind: settleKind, repositoryId, subject, key, payload: { actionId: pending.id } }
  await tx.jobs.enqueue(newJob(call, { ...about, maxAttempts: tries, runAt: pending.until + graceMs }))
}
