import type { Context } from 'liquidjs'

/** A computation of the Liquid engine in steps, which yields further steps, promises or values. */
export type Steps = Iterator<unknown, unknown, unknown>

/** The result passed to the next step: the value of what a step yielded, or its error. */
type Given = { readonly value: unknown } | { readonly error: unknown }

/** Supervises the steps of a computation. */
export interface Guard {
  /**
   * Called before each step with what is passed to it and its depth. May replace that with an
   * error.
   */
  readonly check: (steps: Steps, given: Given, depth: number) => Given
  /** Called with the ms spent waiting for a promise, which do not count as work. */
  readonly waited: (ms: number) => void
  /** A promise to await before the next step, so that other work gets its turn; null for none. */
  readonly yieldToLoop: () => Promise<void> | null
}

/**
 * The result of all steps. Only promises are awaited: the engine's own driver makes a promise of
 * each step, and takes five times as long. Errors: those of the steps, and those of the guard,
 * which are thrown at the step where they occur.
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

/** Whether a value is an iterator of steps as the engine makes them. */
function isSteps(value: unknown): value is Steps {
  return isCallableIn(value, 'next') && isCallableIn(value, 'throw') && isCallableIn(value, 'return')
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return isCallableIn(value, 'then')
}

function isCallableIn(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function'
}

/**
 * Maximum depth of nested steps. A tag within a tag takes two or three. At ten times this value,
 * the call stack may overflow within one step.
 */
const deepest = 1000

/** Beyond this, adding one does not change a number, and a range would never end. */
const lastCountable = 2 ** 52

/** Ms of work before other work on the same thread gets its turn. */
const sliceMs = 2

/**
 * Maximum number of values in a list, including nested lists. A list that contains another list
 * twice doubles the count with each filter, and walking it cannot be interrupted.
 */
const mostValues = 250_000

/** A text in a list counts as one value, plus one for every this many characters. */
const charactersAValue = 64

/**
 * Maximum number of characters or elements that one filter may create: a filter cannot be
 * interrupted.
 */
const mostAtOnce = 1_000_000

/** Limits of one render. */
interface RenderBounds {
  /** Ms of its own work. */
  readonly ms: number
  /** Number of steps; without it, only the time is limited. */
  readonly steps?: number
  /**
   * Resolves when the render may continue after other work has had its turn; without it, the render
   * runs to its end.
   */
  readonly round?: () => Promise<void>
}

/** Supervises one render. */
interface LiquidGuard extends Guard {
  /**
   * Replaces the engine's own check of the clock. Errors: throws when the render has worked for too
   * long.
   */
  readonly look: () => void
}

/**
 * A guard for one render: ends it when it works too long, nests too deeply, or creates a value that
 * is too large.
 */
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

/** Limits what one filter of a render creates at once. */
export function boundAtOnce({ memoryLimit }: Context): void {
  const use = memoryLimit.use.bind(memoryLimit)
  memoryLimit.use = (count) => {
    if (count > mostAtOnce) throw new Error('memory alloc limit exceeded')
    use(count)
  }
}

/**
 * Counts the values of a list, each list only once, because templates do not change lists after
 * creating them.
 */
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

/**
 * Returns a test for steps that make a range. The engine does not label its steps, so they are
 * compared with those of a sample range.
 */
export async function rangeSteps(context: Context): Promise<(steps: Steps) => boolean> {
  const { Tokenizer, evalToken } = await import('liquidjs')
  const sample: unknown = evalToken(new Tokenizer('(1..2)').readValue(), context).next().value
  const kind = typeof sample === 'object' && sample !== null ? Reflect.getPrototypeOf(sample) : null
  if (kind === null) throw new TypeError('This version of Liquid evaluates ranges in an unknown way')
  return (steps) => Reflect.getPrototypeOf(steps) === kind
}
