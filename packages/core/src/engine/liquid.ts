import type { Liquid, FilterImplOptions } from 'liquidjs'
import { boundAtOnce, createLiquidGuard, rangeSteps, resultOf } from './liquid-limits.ts'

/** Limits of a template's text, of its time in milliseconds, and of its memory. */
interface TemplateBounds {
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

type FilterHandler = Exclude<FilterImplOptions, { readonly handler: unknown }>

/** Characters of a text, and elements of a list, that a filter takes: it cannot be stopped in between. As many take some 25 ms at worst. */
const mostCharacters = 256 * 1024
const mostElements = 50_000
/** The same for filters that sort or shuffle. */
const mostSorted = 10_000

const sorting = new Set(['sort', 'sort_natural', 'uniq', 'sample'])

/** They take no longer for more; those for rich text have bounds of their own, and what is escaped is bounded as output is. */
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

/** Tags and outputs of a template: to parse as many takes some 20 ms. */
const mostTags = 2_000

/** The engine's own escaping, one pass for each sign: of a text of nothing else it takes a tenth of the time. */
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

/** Has all filters of an engine refuse what takes them too long. Errors, in templates: one that names the filter. */
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

/** Errors: when a template has more tags than are parsed at once. */
export function requireFewTags(template: string): void {
  let count = 0
  for (let at = template.indexOf('{'); at !== -1; at = template.indexOf('{', at + 2)) {
    if (template[at + 1] === '{' || template[at + 1] === '%') count += 1
  }
  if (count > mostTags) throw new Error(`a template has at most ${mostTags} tags and outputs`)
}
