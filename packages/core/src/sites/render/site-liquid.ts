import { limits } from '@quire/contract'
import type { Liquid, Template } from 'liquidjs'
import { linkFilters } from './link-filters.ts'
import { PageEmitter } from './page-emitter.ts'
import type { PageFilter } from './page-filter.ts'
import type { PageRun } from './page-run.ts'
import { richTextFilters } from './rich-text-filters.ts'
import { type Filters, outputEscape, textFilters } from './text-filters.ts'

/** Names of partials count again when they are parsed, so a whole template can come to twice its length. */
const parseLimit = 2 * limits.template

/** Characters and elements that filters make for one page: all it may give, and as much again on the way. An array of as many is 80 MB. */
const memoryLimit = 2 * limits.pageBytes

/** The engine of a site, and the templates of the site in it. */
export interface SiteLiquid {
  readonly engine: Liquid
  /** A template, parsed once. Errors: when there is none of that name, or it cannot be parsed. */
  template(name: string): Template[]
}

/** The run of the page that a context belongs to, by the globals of the context. */
export type RunOf = (globals: object) => PageRun

/** An engine that finds the templates of a site by name, and nothing else, within the bounds of a page. */
export async function createSiteLiquid(
  sources: Readonly<Record<string, string>>,
  runOf: RunOf,
): Promise<SiteLiquid> {
  const { Liquid: Engine, filters } = await import('liquidjs')
  const template = parsedOnce(sources, (source, name) => engine.parse(source, name))
  const engine = new Engine({
    parseLimit,
    memoryLimit,
    ownPropertyOnly: true,
    strictFilters: true,
    relativeReference: false,
    timezoneOffset: 0,
    locale: 'en-US',
    fs: noFiles,
    // Asked before files are, by `<kind>:<name>`.
    cache: { read: (key) => template(key.slice(key.indexOf(':') + 1)), write: () => {}, remove: () => {} },
    outputEscape: outputEscape(filters),
  })
  addFilters(engine, filters, runOf)
  boundOutput(engine)
  return { engine, template }
}

const noFiles = {
  exists: async () => false,
  existsSync: () => false,
  readFile: async () => '',
  readFileSync: () => '',
  resolve: (_folder: string, file: string) => file,
}

/** What cannot be parsed is not tried again either. */
function parsedOnce(
  sources: Readonly<Record<string, string>>,
  parse: (source: string, name: string) => Template[],
) {
  const known = new Map<string, () => Template[]>()
  return (name: string): Template[] => {
    const found = known.get(name) ?? outcomeOf(() => parse(sourceOf(sources, name), name))
    known.set(name, found)
    return found()
  }
}

function outcomeOf<T>(make: () => T): () => T {
  try {
    const value = make()
    return () => value
  } catch (error) {
    return () => {
      throw error
    }
  }
}

function sourceOf(sources: Readonly<Record<string, string>>, name: string): string {
  const source = Object.hasOwn(sources, name) ? sources[name] : undefined
  if (source === undefined) throw new Error(`there is no template "${name}"`)
  if (source.length <= limits.template) return source
  throw new Error(`the template "${name}" is longer than ${limits.template} characters`)
}

function addFilters(engine: Liquid, own: Filters, runOf: RunOf): void {
  const fitted = textFilters(own)
  for (const [name, filter] of Object.entries(fitted)) engine.registerFilter(name, filter)
  for (const [name, filter] of Object.entries({ ...linkFilters, ...richTextFilters }))
    addPageFilter(engine, name, { filter, runOf })
}

function addPageFilter(
  engine: Liquid,
  name: string,
  { filter, runOf }: { filter: PageFilter; runOf: RunOf },
): void {
  engine.registerFilter(name, function (value: unknown, argument: unknown): unknown {
    const run = runOf(this.context.globals)
    if (typeof value === 'string') this.context.memoryLimit.use(value.length)
    return filter(run, value, argument)
  })
}

/** Whatever collects output is bounded, `capture` and blocks too. */
function boundOutput({ renderer }: Liquid): void {
  const render = renderer.renderTemplates.bind(renderer)
  renderer.renderTemplates = (templates, context, emitter) =>
    render(templates, context, emitter instanceof PageEmitter ? emitter : new PageEmitter(emitter))
}
