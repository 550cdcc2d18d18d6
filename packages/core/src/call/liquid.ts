import type { Liquid } from 'liquidjs'
import { createLiquidGuard, rangeSteps } from './liquid-guard.ts'
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
  const { Liquid: Engine } = await import('liquidjs')
  return new Engine({
    ...bounds,
    ...(escape && { outputEscape: 'escape' }),
    ownPropertyOnly: true,
    templates: {},
  })
}

/**
 * What a template gives. Driven step by step: of itself the engine would never come back from a range past the numbers that can be
 * counted, whatever its bounds. Errors: those of liquidjs; an error that says which bound was passed.
 */
export async function renderTemplate(engine: Liquid, template: string, scope: object): Promise<string> {
  const { Context } = await import('liquidjs')
  const context = new Context(scope, engine.options, {}, { liquid: engine })
  const isRange = await rangeSteps(context)
  const guard = createLiquidGuard(isRange, engine.options.renderLimit)
  return String(await resultOf(engine.renderer.renderTemplates(engine.parse(template), context), guard))
}
