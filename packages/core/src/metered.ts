import { QuireError, TokenError, type Budget, type BytesIn, type Endpoint } from '@quire/contract'
import type { Identity } from './engine/access/identity.ts'
import type { Answer } from './engine/answer.ts'
import type { Call } from './engine/call.ts'
import { writeUnnoticed } from './engine/create-call.ts'
import { bytesOfAnswer, countedAnswer, jsonBytes } from './engine/counted-bytes.ts'
import { addUse, dayOf, dayUse, type Day, type Use } from './engine/day-use.ts'
import type { Origin } from './engine/environment.ts'
import { translateError } from './engine/errors.ts'
import { iterated } from './engine/served-bytes.ts'
import { agentEntry, type AgentCall } from './people/agent-calls.ts'

/** A call as it is sent. */
type SentCall = Pick<AgentCall, 'name' | 'input'>

/**
 * Whether a call is counted against a budget, or recorded as that of an agent. What is open to
 * everybody is neither.
 */
export function isMetered(
  { kind, budget, isAgent }: Identity,
  { permission }: Pick<Endpoint, 'permission'>,
  origin: Origin | undefined,
): boolean {
  if (kind !== 'user' && kind !== 'service') return false
  return permission !== 'public' && (budget !== null || isAgent || origin?.isAgent === true)
}

/**
 * Answers a call that is counted or recorded: refuses it if the budget of its account is used up,
 * and writes at its end what it used, and its entry. Calls that fail count too. Errors:
 * `budget_exceeded`; those of `answer`.
 */
export async function metered(
  call: Call,
  { name, input }: SentCall,
  answer: (input: unknown) => Promise<Answer<unknown>>,
): Promise<Answer<unknown>> {
  const { budget, owner } = call.identity
  const day = budget && dayOf(owner, call.now)
  if (budget && day) await admit(call, { budget, day }, { name, input })
  const meter = { bytes: 0 }
  let outcome = 'ok'
  try {
    const answered = await answer(countedInput(input, meter))
    meter.bytes += bytesOfAnswer(answered)
    return day ? countedAnswer(answered, (bytes) => spend(call, day, { use: { calls: 0, bytes } })) : answered
  } catch (error) {
    outcome = outcomeOf(call, error)
    throw error
  } finally {
    const ended = { name, input, outcome, bytes: meter.bytes }
    if (day) await spend(call, day, { use: { calls: 1, bytes: meter.bytes }, ended })
    else await write(call, { ended })
  }
}

/** The code of an error, or `aborted`. */
function outcomeOf({ signal, requestId }: Call, error: unknown): string {
  if (signal?.aborted) return 'aborted'
  const known = translateError(error, requestId)
  return known instanceof TokenError ? known.message : known.code
}

interface Limits {
  readonly budget: Budget
  readonly day: Day
}

/**
 * Counts a call as under way. Errors: `budget_exceeded`. Of the refusals of a day only the first is
 * recorded: a program that does not stop would fill the journal with the others.
 */
function admit(call: Call, { budget, day }: Limits, sent: SentCall): Promise<void> {
  const { shared, store, now } = call
  return shared.unwritten.step(day, async (unwritten) => {
    const { isRefused, ...written } = await dayUse(store.ephemera, day, now)
    const used = { calls: written.calls + unwritten.calls, bytes: written.bytes + unwritten.bytes }
    const member = members.find((one) => used[one] >= (budget[one] ?? Number.POSITIVE_INFINITY))
    if (member === undefined) {
      unwritten.calls += 1
      return
    }
    const ended = { ...sent, outcome: 'budget_exceeded', bytes: 0 }
    if (isRecorded(call) && !isRefused) await write(call, { ended, day, refused: true })
    throw usedUp(call, day, { member, limit: budget[member], used: used[member] })
  })
}

const members = ['calls', 'bytes'] as const

interface UsedUp {
  readonly member: (typeof members)[number]
  readonly limit: number | null
  readonly used: number
}

function usedUp({ identity: { id }, now }: Call, { end }: Day, { member, limit, used }: UsedUp): QuireError {
  const resetsAt = new Date(end).toISOString()
  return new QuireError(
    'budget_exceeded',
    `The account "${id}" has a budget of ${limit} ${member} a day, of which ${used} are used: call again from ${resetsAt} on, or have settings.budget.${member} raised.`,
    { details: { budget: member, limit, used, resetsAt: end, retryAfter: Math.ceil((end - now) / 1000) } },
  )
}

interface Spent {
  readonly use: Use
  /** The call, if it has ended. */
  readonly ended?: AgentCall
}

/** Counts what a call used. What cannot be written still counts in this process. */
function spend(call: Call, day: Day, { use, ended }: Spent): Promise<void> {
  return call.shared.unwritten.step(day, async (unwritten) => {
    if (await write(call, { day, use, ended })) unwritten.calls -= use.calls
    else unwritten.bytes += use.bytes
  })
}

interface Written {
  readonly ended?: AgentCall | undefined
  readonly day?: Day
  readonly use?: Use
  readonly refused?: boolean
}

/** Writes what a call used and its entry, and returns whether that succeeded: no answer fails for it. */
async function write(call: Call, { ended, day, use, refused = false }: Written): Promise<boolean> {
  const { environment, now, requestId } = call
  try {
    const entry = ended && isRecorded(call) ? await agentEntry(call, ended) : null
    await writeUnnoticed(call, {
      entry,
      work: async ({ ephemera }) => {
        if (day) await addUse(ephemera, day, { calls: 0, bytes: 0, ...use, now, refused })
      },
    })
    return true
  } catch (error) {
    environment.log.write('error', 'call.not-recorded', { requestId, cause: String(error) })
    return false
  }
}

function isRecorded({ identity, origin }: Call): boolean {
  return identity.isAgent || origin.isAgent === true
}

interface Meter {
  bytes: number
}

/** Adds the bytes of an input to a meter: of files as they are read. Returns the input to use. */
function countedInput(input: unknown, meter: Meter): unknown {
  const members = typeof input === 'object' && input !== null ? Object.entries(input) : []
  const files = members.filter(([, value]) => isBytes(value))
  meter.bytes += jsonBytes(files.length === 0 ? input : without(members, files))
  if (files.length === 0) return input
  return Object.fromEntries(
    members.map(([name, value]) => [name, isBytes(value) ? countedFile(value, meter) : value]),
  )
}

type Members = readonly (readonly [name: string, value: unknown])[]

function without(members: Members, others: Members): object {
  return Object.fromEntries(members.filter((member) => !others.includes(member)))
}

function isBytes(value: unknown): value is BytesIn {
  return (
    typeof value === 'object' && value !== null && 'stream' in value && typeof value.stream === 'function'
  )
}

function countedFile(file: BytesIn, meter: Meter): BytesIn {
  const { name, type, size } = file
  return { name, type, size, stream: () => counted(file.stream(), meter) }
}

async function* counted(bytes: ReturnType<BytesIn['stream']>, meter: Meter): AsyncGenerator<Uint8Array> {
  for await (const part of iterated(bytes)) {
    meter.bytes += part.length
    yield part
  }
}
