import type { Context } from 'liquidjs'

/** A computation of the engine in steps: it gives further steps, promises, or values. */
export type Steps = Iterator<unknown, unknown, unknown>

/** What steps go on with: the value of the ones they asked for, or the error of them. */
type Given = { readonly value: unknown } | { readonly error: unknown }

/** What watches over steps. */
export interface Guard {
  /** Sees what each step goes on with, at its depth, and may put an error in place of it. */
  readonly check: (steps: Steps, given: Given, depth: number) => Given
  /** Told how many ms were waited for something else: what waits does no work of its own. */
  readonly waited: (ms: number) => void
  /** What to wait for before the next step, so that others get their turn; null for nothing. */
  readonly yieldToLoop: () => Promise<void> | null
}

/**
 * The result of all steps. Waits only for what is a promise: the engine's own way makes a promise of each step, and takes five times as
 * long. Errors: those of the steps, and those of the guard, which arise where the steps are.
 */
export async function resultOf(first: Steps, guard: Guard): Promise<unknown> {
  const stack = [first]
  let given: Given = { value: undefined }
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    given = consumed(stack, top, guard.check(top, given, stack.length))
    if ('value' in given && isPromise(given.value)) {
      const started = performance.now()
      given = await settled(given.value)
      guard.waited(performance.now() - started)
    }
    const yieldToLoop = guard.yieldToLoop()
    if (yieldToLoop !== null) await yieldToLoop
  }
  if ('error' in given) throw given.error
  return given.value
}

function consumed(stack: Steps[], top: Steps, given: Given): Given {
  try {
    const { done, value } = stepped(top, given)
    if (done === true) stack.pop()
    if (!isSteps(value)) return { value }
    stack.push(value)
    return { value: undefined }
  } catch (error) {
    stack.pop()
    return { error }
  }
}

function stepped(steps: Steps, given: Given): IteratorResult<unknown, unknown> {
  if ('value' in given) return steps.next(given.value)
  if (steps.throw === undefined) throw given.error
  return steps.throw(given.error)
}

async function settled(promise: PromiseLike<unknown>): Promise<Given> {
  try {
    return { value: await promise }
  } catch (error) {
    return { error }
  }
}

/** Whether it is steps, as the engine tells them. */
function isSteps(value: unknown): value is Steps {
  return isCallableIn(value, 'next') && isCallableIn(value, 'throw') && isCallableIn(value, 'return')
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return isCallableIn(value, 'then')
}

function isCallableIn(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function'
}

/** Steps within steps. A tag in a tag is two or three; at ten times as many the stack may not hold what the engine does in one step. */
const deepest = 1000

/** Past this, one more is the same number, and a range would never end. */
const lastCountable = 2 ** 52

/** Work for so many ms at a time; then whoever waits for the same thread gets a round of it. */
const sliceMs = 2

/** Values of a list, with those of the lists in it: lists of one list double with each filter, and nothing could stop what goes through them. */
const mostValues = 250_000

/** A text in a list counts for one value, and for one more with each so many characters. */
const charactersAValue = 64

/** Characters or elements that one filter may make: it cannot be stopped in between. */
const mostAtOnce = 1_000_000

/** What a render may take. */
interface RenderBounds {
  /** Ms of its own work. */
  readonly ms: number
  /** Steps; where none is said, the time alone counts. */
  readonly steps?: number
  /** Resolves when it may go on, after others had their turn; where none is said, it goes on to its end. */
  readonly round?: () => Promise<void>
}

/** What watches over one render. */
interface LiquidGuard extends Guard {
  /** For the engine's own looks at the clock. Errors: throws when the render has worked for too long. */
  readonly look: () => void
}

/** A guard of one render: ends it when it has worked for too long, goes too deep, or makes what nobody can count. */
export function createLiquidGuard(
  isRange: (steps: Steps) => boolean,
  { ms, steps: most = Infinity, round }: RenderBounds,
): LiquidGuard {
  let now = performance.now()
  let end = now + ms
  let yieldAt = now + sliceMs
  let count = 0
  const weigh = createScales()
  const tooLong = `it takes longer than ${ms} ms`
  const check: Guard['check'] = (steps, given, depth) => {
    if ('error' in given) return given
    if (depth > deepest) return refused('it is nested too deep, or a template renders itself')
    if (isRange(steps) && isUncountable(given.value)) return refused(`a range goes beyond ${lastCountable}`)
    if (Array.isArray(given.value) && weigh(given.value) > mostValues)
      return refused(`a list holds more than ${mostValues} values`)
    count += 1
    if (count > most) return refused(`it takes more than ${most} steps`)
    now = performance.now()
    return now > end ? refused(tooLong) : given
  }
  const look = () => {
    now = performance.now()
    if (now > end) throw new Error(tooLong)
  }
  const waited = (waitedMs: number) => {
    end += waitedMs
    now = performance.now()
  }
  const yieldNow = async (others: () => Promise<void>) => {
    const started = now
    await others()
    waited(performance.now() - started)
    yieldAt = now + sliceMs
  }
  return { check, look, waited, yieldToLoop: () => (round && now > yieldAt ? yieldNow(round) : null) }
}

/** Bounds what one filter of a render makes at once. */
export function boundAtOnce({ memoryLimit }: Context): void {
  const use = memoryLimit.use.bind(memoryLimit)
  memoryLimit.use = (count) => {
    if (count > mostAtOnce) throw new Error('memory alloc limit exceeded')
    use(count)
  }
}

/** Counts the values of a list, each list once: templates change none that they made. */
function createScales(): (value: unknown) => number {
  const known = new WeakMap<object, number>()
  const weigh = (value: unknown, depth = 0): number => {
    if (typeof value === 'string') return 1 + value.length / charactersAValue
    if (!Array.isArray(value)) return 1
    if (depth > deepest) return Infinity
    const before = known.get(value)
    if (before !== undefined) return before
    let weight = 1
    for (const entry of value) weight += weigh(entry, depth + 1)
    known.set(value, weight)
    return weight
  }
  return weigh
}

function refused(problem: string): Given {
  return { error: new Error(problem) }
}

function isUncountable(value: unknown): boolean {
  if (value === null || typeof value === 'boolean') return false
  return Math.abs(Number(value)) > lastCountable
}

/** Tells the steps that make a range from all others: the engine names none, so by those of a range of its own. */
export async function rangeSteps(context: Context): Promise<(steps: Steps) => boolean> {
  const { Tokenizer, evalToken } = await import('liquidjs')
  const sample: unknown = evalToken(new Tokenizer('(1..2)').readValue(), context).next().value
  const kind = typeof sample === 'object' && sample !== null ? Reflect.getPrototypeOf(sample) : null
  if (kind === null) throw new TypeError('Liquid makes ranges in another way than it did')
  return (steps) => Reflect.getPrototypeOf(steps) === kind
}
