import type { Liquid } from 'liquidjs'
import { boundFilters, fastEscape, requireFewTags } from './liquid-filters.ts'
import { boundAtOnce, createLiquidGuard, rangeSteps } from './liquid-guard.ts'
import { resultOf } from './liquid-steps.ts'

/** Limits of a template's text, of its time in milliseconds, and of its memory. */
export interface TemplateBounds {
  readonly parseLimit: number
  readonly renderLimit: number
  readonly memoryLimit: number
}

/**
 * A Liquid engine within bounds, for templates that users write: files, includes and prototypes are out of its reach. Loaded when
 * the first template is asked for. `escape`: values are HTML-escaped unless the template says `raw`.
 */
export async function liquidWithin(bounds: TemplateBounds, { escape }: { escape: boolean }): Promise<Liquid> {
  const { Liquid: Engine, toValue } = await import('liquidjs')
  const textOf = (given: unknown): string => {
    const value: unknown = toValue(given)
    // Joined as the engine does it: nothing for null.
    return Array.isArray(value) ? value.map(textOf).join('') : [value].join('')
  }
  const engine = new Engine({
    ...bounds,
    ...(escape && { outputEscape: fastEscape(textOf) }),
    ownPropertyOnly: true,
    templates: {},
  })
  boundFilters(engine)
  return engine
}

/** Steps of one render, some µs each. Where it runs, in the transaction of a save, it cannot give others their turn. */
const mostSteps = 10_000

/**
 * What a template gives. Driven step by step: of itself the engine would never come back from a range past the numbers that can be
 * counted, whatever its bounds. Errors: those of liquidjs; an error that says which bound was passed.
 */
export async function renderTemplate(engine: Liquid, template: string, scope: object): Promise<string> {
  const { Context } = await import('liquidjs')
  const context = new Context(scope, engine.options, {}, { liquid: engine })
  const isRange = await rangeSteps(context)
  boundAtOnce(context)
  const guard = createLiquidGuard(isRange, { ms: engine.options.renderLimit, steps: mostSteps })
  requireFewTags(template)
  return String(await resultOf(engine.renderer.renderTemplates(engine.parse(template), context), guard))
}
