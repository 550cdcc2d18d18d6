import { fakeOutbound, scriptedEngine, type FakeAnswer, type FakeOutbound } from '@quire/core/memory'
import { OutboundFailure, type OutboundAnswer } from '@quire/core/ports'
import { answerOfFileServer, isFileServer } from '../files/file-server.ts'
import { answerOfUpstream, upstream } from './upstream.ts'

/**
 * The target of the suite's webhooks, workflows and fetches. The path determines the answer. A fake: nothing
 * is sent.
 */
export function fakeTargets(): FakeOutbound {
  const engine = scriptedEngine([{ name: 'editorial', label: 'Editorial review' }, { name: 'legal' }])
  const answerOfEngine = asInPath(engine.answer)
  return fakeOutbound((request) => {
    const { origin, pathname } = new URL(request.url)
    if (origin === engine.baseUrl) return answerOfEngine(request)
    const [, what = '', status = ''] = pathname.split('/')
    if (origin === upstream) return answerOfUpstream(request)
    if (isFileServer(origin)) return answerOfFileServer(request)
    if (what === 'down') throw new OutboundFailure('unreachable', 'The host does not answer.')
    return answerOf(what === 'status' ? Number(status) : 200, what === 'long' ? 'x'.repeat(10_000) : 'taken')
  })
}

/**
 * An engine that misbehaves as its path says: `/start/fails` when it starts, `/then/fails`
 * afterwards. `fails-once` fails the first time, and succeeds when the same request is repeated
 * with the same Idempotency-Key.
 */
function asInPath(answer: FakeAnswer): FakeAnswer {
  const known = new Set<string>()
  const misbehaved = (how: string, key: string) => {
    const [way = '', once] = how.split('-')
    if (once !== undefined && known.has(key)) return undefined
    known.add(key)
    return misbehaviours[way]?.()
  }
  return (request) => {
    const { origin, pathname, searchParams } = new URL(request.url)
    const [, what = '', how = ''] = pathname.split('/')
    const key = new Map(request.headers).get('idempotency-key') ?? ''
    if (what === 'then') return startedAt(how, how === 'elsewhere' ? 'https://other.example.com' : origin)
    if (what === 'next') return misbehaved(how, key) ?? jsonOf({ status: 'completed', currentStep: 'end' })
    return misbehaved(how, key) ?? withPeople(answer, searchParams)(request)
  }
}

/** The answer to a start that names an address where the engine misbehaves next. */
function startedAt(how: string, origin: string): OutboundAnswer {
  const steps = [{ name: 'review', label: 'Review', allowedActions: [], assignedGroups: [] }]
  return jsonOf({ id: `then-${how}`, currentStep: 'review', nextActionUrl: `${origin}/next/${how}`, steps })
}

/**
 * Adds to the answer: `?groups=GRUP_1,GRUP_2` as the groups of the first step, `?actions=a,b` as
 * its actions, `?assignee=` as its assignee, and `?at=` as the current step.
 */
function withPeople(answer: FakeAnswer, sent: URLSearchParams): FakeAnswer {
  if (sent.size === 0) return answer
  const [userName, currentStep] = [sent.get('assignee'), sent.get('at')]
  return async (request) => {
    const given = await answer(request)
    const { steps, ...rest } = JSON.parse(new TextDecoder().decode(given.body))
    const [first, ...others] = steps
    const restrictions = {
      ...(sent.has('groups') && { assignedGroups: sent.get('groups')?.split(',') }),
      ...(sent.has('actions') && { allowedActions: sent.get('actions')?.split(',') }),
    }
    return jsonOf({
      ...rest,
      ...(userName !== null && { assignee: { userName } }),
      ...(currentStep !== null && { currentStep }),
      steps: [{ ...first, ...restrictions }, ...others],
    })
  }
}

const misbehaviours: Readonly<Record<string, () => OutboundAnswer>> = {
  refuses: () => answerOf(422, '{"message":"not today"}'),
  locks: () => answerOf(401, ''),
  misses: () => answerOf(404, ''),
  fails: () => answerOf(500, 'oops'),
  redirects: () => ({ ...answerOf(302, ''), headers: [['location', 'https://other.example.com']] }),
  garbles: () => answerOf(200, '<html>'),
  lies: () => jsonOf({ currentStep: 5 }),
  floods: () => answerOf(200, 'x'.repeat(1024 * 1024)),
  agrees: () => answerOf(204, ''),
  errs: () => jsonOf({ id: 'errs', currentStep: 'review', status: 'error' }),
  late: () => {
    throw new OutboundFailure('timeout', 'it took too long')
  },
  down: () => {
    throw new OutboundFailure('unreachable', 'The host does not answer.')
  },
}

function jsonOf(value: object): OutboundAnswer {
  return answerOf(200, JSON.stringify(value))
}

function answerOf(status: number, text: string): OutboundAnswer {
  return { status, headers: [], body: new TextEncoder().encode(text), isCut: false }
}
