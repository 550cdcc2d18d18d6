import { limits, type Item } from '@quire/contract'
import type { Liquid, Template, FilterImplOptions } from 'liquidjs'
import { boundFilters, requireFewTags, fastEscape } from '../../../engine/liquid.ts'
import { PageEmitter, writtenText, type PageRun } from './page-run.ts'
import { yieldingToLoop } from '../../../engine/event-loop.ts'
import { isTooDeep, stateOf, plainTextOf, sanitizeHtml } from '../../../content/fields/rich-text.ts'
import { htmlOfMarkdown, safeHtml, SafeHtml } from './markdown.ts'

/** Names of partials count again when they are parsed, so a whole template can come to twice its length. */
const parseLimit = 2 * limits.template

/** Characters and elements that filters make for one page: all it may give, and as much again on the way. An array of as many is 80 MB. */
const memoryLimit = 2 * limits.pageBytes

/** The engine of a site, and the templates of the site in it. */
interface SiteLiquid {
  readonly engine: Liquid
  /** A template, parsed once. Errors: when there is none of that name, or it cannot be parsed. */
  template(name: string): Template[]
}

/** The run of the page that a context belongs to, by the globals of the context. */
type RunOf = (globals: object) => PageRun

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
    outputEscape: outputEscape(),
  })
  addFilters(engine, filters, runOf)
  boundFilters(engine)
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
  requireFewTags(source)
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

/** Filters that lead from the page to items, files and other pages. */
const linkFilters: Readonly<Record<string, PageFilter>> = {
  url: (run, value) => {
    const id = idOf(value)
    return id === null ? '' : run.linkTo(id)
  },
  item: async (run, value) => (Array.isArray(value) ? itemsOf(run, value) : itemOf(run, value)),
  rendition: async (run, value, name) => fileOf(run, value, writtenText(name)),
  file: async (run, value) => fileOf(run, value, 'original'),
}

/** An id, or that of an object with one. Objects are not trusted further: a field of kind json can look like an item. */
function idOf(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'id')) return null
  const id: unknown = Reflect.get(value, 'id')
  return typeof id === 'string' && id !== '' ? id : null
}

async function itemOf(run: PageRun, value: unknown): Promise<Item | null> {
  const id = idOf(value)
  return id === null ? null : run.item(id)
}

async function itemsOf(run: PageRun, values: readonly unknown[]): Promise<Item[]> {
  if (values.length > limits.pageMost)
    throw new Error(`it asks for more than ${limits.pageMost} items at once`)
  const items = await Promise.all(values.map(async (value) => itemOf(run, value)))
  return items.filter((item) => item !== null)
}

async function fileOf(run: PageRun, value: unknown, rendition: string): Promise<string> {
  const item = await itemOf(run, value)
  return item === null ? '' : run.fileLink(item, rendition)
}

/** Filters for rich text: what they give is sanitized, so output does not escape it again. */
const richTextFilters: Readonly<Record<string, PageFilter>> = {
  html: async (_run, value) => sanitized(writtenText(value)),
  markdown: async (_run, value) => markdownVisible(writtenText(value)),
  plain: (_run, value) =>
    plainTextOf(shortText(writtenText(value)))
      .replaceAll(/\s+/g, ' ')
      .trim(),
}

function shortText(text: string): string {
  if (text.length > limits.richText)
    throw new Error(`a rich text is longer than ${limits.richText} characters`)
  return text
}

async function markdownVisible(markdown: string): Promise<SafeHtml | ''> {
  const yieldToLoop = yieldingToLoop()
  let html = ''
  for (const part of await htmlOfMarkdown(markdown, yieldToLoop)) {
    await yieldToLoop()
    html += await sanitizedText(part)
  }
  return html === '' ? '' : safeHtml(html)
}

async function sanitized(html: string): Promise<SafeHtml | ''> {
  return safeHtml(await sanitizedText(html))
}

async function sanitizedText(html: string): Promise<string> {
  if (isTooDeep(shortText(html))) throw new Error('a rich text is nested too deep')
  if (stateOf(html) > limits.richTextMarks)
    throw new Error(`a rich text has more than ${limits.richTextMarks} tags and entities`)
  return sanitizeHtml(html)
}

type Filter = Exclude<FilterImplOptions, { readonly handler: unknown }>
/** Filters of the engine by name. */
type Filters = Readonly<Record<string, FilterImplOptions>>

const dates = ['date', 'date_to_xmlschema', 'date_to_rfc822', 'date_to_string', 'date_to_long_string']

/** Filters of Liquid itself, made to fit: dates in milliseconds, and texts that are escaped once. */
function textFilters(own: Filters): Readonly<Record<string, Filter>> {
  const escape = fastEscape(writtenText)
  return {
    ...Object.fromEntries(dates.map((name) => [name, dateFilter(filterOf(own, name))])),
    escape: escapeFilter(escape),
    xml_escape: escapeFilter(escape),
    escape_once: escapeFilter(filterOf(own, 'escape_once')),
    newline_to_br: branchesFilter(escape, filterOf(own, 'newline_to_br')),
    json: jsonFilter(filterOf(own, 'json')),
  }
}

/** What every output goes through: escaped, but for HTML that is safe as it is. */
function outputEscape(): Filter {
  const escape = fastEscape(writtenText)
  return function (value: unknown) {
    return value instanceof SafeHtml ? value.html : escape.call(this, value)
  }
}

function filterOf(own: Filters, name: string): Filter {
  const filter = own[name]
  if (typeof filter !== 'function') throw new TypeError(`Liquid has no filter ${name}`)
  return filter
}

function dateFilter(own: Filter): Filter {
  return function (value: unknown, ...rest: unknown[]): unknown {
    const moment = momentOf(value)
    if (moment === null && value !== 'now' && value !== 'today') return value
    return own.call(this, moment ?? value, ...rest)
  }
}

function escapeFilter(own: Filter): Filter {
  return function (value: unknown) {
    return value instanceof SafeHtml ? value : safeHtml(String(own.call(this, writtenText(value))))
  }
}

function branchesFilter(escape: Filter, lines: Filter): Filter {
  return function (value: unknown) {
    const html = value instanceof SafeHtml ? value.html : String(escape.call(this, writtenText(value)))
    return safeHtml(String(lines.call(this, html)))
  }
}

/** JSON that can stand in a script element when it is marked `raw`: no text in it ends the element. */
function jsonFilter(own: Filter): Filter {
  return function (value: unknown, ...rest: unknown[]) {
    return writtenText(own.call(this, value, ...rest)).replaceAll('<', String.raw`\u003c`)
  }
}

const iso = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?<zone>Z|[+-]\d{2}:?\d{2})?)?$/i

/** A value as the moment it names: numbers are Unix milliseconds, texts ISO 8601 (UTC when they name no zone); null for anything else. */
function momentOf(value: unknown): Date | null {
  if (typeof value === 'number') return valid(new Date(value))
  if (typeof value !== 'string') return null
  const match = iso.exec(value)
  if (match === null) return null
  // A day alone is in UTC by ECMA-262 already.
  const isLocal = value.length > 10 && match.groups?.['zone'] === undefined
  return valid(new Date(isLocal ? `${value}Z` : value))
}

function valid(date: Date): Date | null {
  return Number.isNaN(date.getTime()) ? null : date
}

/** A filter of templates that knows the page it stands on. */
type PageFilter = (run: PageRun, value: unknown, argument: unknown) => unknown
