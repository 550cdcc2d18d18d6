/** A computation of the engine in steps: it gives further steps, promises, or values. */
export type Steps = Iterator<unknown, unknown, unknown>

/** What steps go on with: the value of the ones they asked for, or the error of them. */
export type Given = { readonly value: unknown } | { readonly error: unknown }

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
export function isSteps(value: unknown): value is Steps {
  return isCallableIn(value, 'next') && isCallableIn(value, 'throw') && isCallableIn(value, 'return')
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return isCallableIn(value, 'then')
}

function isCallableIn(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function'
}
