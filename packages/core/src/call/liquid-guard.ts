import type { Context } from 'liquidjs'
import type { Given, Guard, Steps } from './liquid-steps.ts'

/** Steps within steps. A tag in a tag is two or three; at ten times as many the stack may not hold what the engine does in one step. */
const deepest = 1000

/** Looking at the clock takes as long as a step: once in as many. */
const stepsPerLook = 64

/** Past this, one more is the same number, and a range would never end. */
const lastCountable = 2 ** 52

/** What watches over one render. */
export interface LiquidGuard extends Guard {
  /** For the engine's own looks at the clock. Errors: throws when the render has worked for too long. */
  readonly look: () => void
}

/** A guard of one render: ends it when it has worked for so many ms, when it goes too deep, and at ranges that nobody can count. */
export function createLiquidGuard(isRange: (steps: Steps) => boolean, ms: number): LiquidGuard {
  let end = performance.now() + ms
  let count = 0
  const tooLong = `it takes longer than ${ms} ms`
  const isOver = () => performance.now() > end
  const check: Guard['check'] = (steps, given, depth) => {
    if ('error' in given) return given
    if (depth > deepest) return refused('it is nested too deep, or a template renders itself')
    if (isRange(steps) && isUncountable(given.value)) return refused(`a range goes beyond ${lastCountable}`)
    count += 1
    return count % stepsPerLook === 0 && isOver() ? refused(tooLong) : given
  }
  const look = () => {
    if (isOver()) throw new Error(tooLong)
  }
  return { check, look, waited: (waitedMs) => void (end += waitedMs) }
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
