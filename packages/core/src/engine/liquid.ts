import type { Liquid, FilterImplOptions } from 'liquidjs'
import { boundAtOnce, createLiquidGuard, rangeSteps, resultOf } from './liquid-limits.ts'

/** Limits of a template's text in characters, its time in milliseconds, and its memory. */
interface TemplateBounds {
  readonly parseLimit: number
  readonly renderLimit: number
  readonly memoryLimit: number
}

/**
 * A Liquid engine with limits, for templates that users write. Templates have no access to files,
 * includes and prototypes. liquidjs is loaded on first use. `escape`: values are HTML-escaped
 * unless the template uses `raw`.
 */
export async function liquidWithin(bounds: TemplateBounds, { escape }: { escape: boolean }): Promise<Liquid> {
  const { Liquid: Engine, toValue } = await import('liquidjs')
  const textOf = (given: unknown): string => {
    const value: unknown = toValue(given)
    // Joined like the engine does: null becomes an empty string.
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

/**
 * Maximum number of steps in one render, each taking some µs. It may run in the transaction of a
 * save, where it cannot yield to other work.
 */
const mostSteps = 10_000

/**
 * Renders a template step by step. The engine's own driver would never return from a range beyond
 * the countable numbers, whatever its limits. Errors: those of liquidjs; an error that names the
 * exceeded limit.
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

type FilterHandler = Exclude<FilterImplOptions, { readonly handler: unknown }>

/**
 * Maximum length of a text and number of list elements that a filter accepts: a filter cannot be
 * interrupted. At this size one takes about 25 ms at worst.
 */
const mostCharacters = 256 * 1024
const mostElements = 50_000
/** The same for filters that sort or shuffle. */
const mostSorted = 10_000

const sorting = new Set(['sort', 'sort_natural', 'uniq', 'sample'])

/**
 * Filters that do not take longer for larger input. Those for rich text have limits of their own,
 * and escaped text is limited like output.
 */
const cheap = new Set([
  'append',
  'prepend',
  'default',
  'size',
  'first',
  'last',
  'raw',
  'html',
  'markdown',
  'plain',
  'escape',
])

/** Maximum number of tags and outputs of a template: parsing this many takes about 20 ms. */
const mostTags = 2_000

/**
 * Replaces the engine's escaping with one pass per character: for a text without special characters
 * it takes a tenth of the time.
 */
export function fastEscape(textOf: (value: unknown) => string): FilterHandler {
  return function (value: unknown): string {
    const text = textOf(value)
    this.context.memoryLimit.use(text.length)
    return text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&#34;')
      .replaceAll("'", '&#39;')
  }
}

/**
 * Makes all filters of an engine refuse input that is too large. Errors, in templates: one that
 * names the filter.
 */
export function boundFilters(engine: Liquid): void {
  for (const [name, filter] of Object.entries(engine.filters)) {
    if (cheap.has(name)) continue
    const handler = typeof filter === 'function' ? filter : filter.handler
    const raw = typeof filter !== 'function' && filter.raw
    engine.registerFilter(name, { raw, handler: boundedHandler(name, handler) })
  }
}

function boundedHandler(name: string, handler: FilterHandler): FilterHandler {
  const isSorting = sorting.has(name)
  const characters = isSorting ? mostSorted : mostCharacters
  const elements = isSorting ? mostSorted : mostElements
  const isTooLong = (value: unknown) =>
    (typeof value === 'string' && value.length > characters) ||
    (Array.isArray(value) && value.length > elements)
  const problem = `the filter "${name}" takes at most ${characters} characters or ${elements} elements`
  return function (...values) {
    if (values.some(isTooLong)) throw new Error(problem)
    return handler.apply(this, values)
  }
}

/** Errors: throws when a template has more tags than may be parsed. */
export function requireFewTags(template: string): void {
  let count = 0
  for (let at = template.indexOf('{'); at !== -1; at = template.indexOf('{', at + 2)) {
    if (template[at + 1] === '{' || template[at + 1] === '%') count += 1
  }
  if (count > mostTags) throw new Error(`a template has at most ${mostTags} tags and outputs`)
}
