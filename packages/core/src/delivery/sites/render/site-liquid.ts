import { limits, type Item } from '@quire/contract'
import type { Liquid, Template, FilterImplOptions } from 'liquidjs'
import { boundFilters, requireFewTags, fastEscape } from '../../../engine/liquid.ts'
import { PageEmitter, writtenText, type PageRun } from './page-run.ts'
import { yieldingToLoop } from '../../../engine/event-loop.ts'
import { isTooDeep, countMarkup, plainTextOf, sanitizeHtml } from '../../../content/fields/rich-text.ts'
import { htmlOfMarkdown, safeHtml, SafeHtml } from './markdown.ts'

/** The engine counts names of partials twice, so a template can count up to twice its length. */
const parseLimit = 2 * limits.template

/**
 * Characters and elements that filters may create for one page: the size of the page twice. An
 * array of that many elements is 80 MB.
 */
const memoryLimit = 2 * limits.pageBytes

/** The template engine of a site, with the site's templates. */
interface SiteLiquid {
  readonly engine: Liquid
  /**
   * Finds a template, which is parsed once. Errors: for an unknown name or a template that cannot
   * be parsed.
   */
  template(name: string): Template[]
}

/** Finds the page run that a context belongs to, by the globals of the context. */
type RunOf = (globals: object) => PageRun

/**
 * Creates an engine that can only access the templates of a site, by name, within the limits of a
 * page.
 */
export async function createSiteLiquid(
  sources: Readonly<Record<string, string>>,
  runOf: RunOf,
): Promise<SiteLiquid> {
  const { Liquid: Engine, filters } = await import('liquidjs')
  const template = parseOnce(sources, (source, name) => engine.parse(source, name))
  const engine = new Engine({
    parseLimit,
    memoryLimit,
    ownPropertyOnly: true,
    strictFilters: true,
    relativeReference: false,
    timezoneOffset: 0,
    locale: 'en-US',
    fs: noFiles,
    // The engine asks the cache first, with keys of the form `<kind>:<name>`.
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

/** Creates a function that parses each template once. A parse error is remembered too. */
function parseOnce(
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
  for (const [name, filter] of Object.entries(textFilters(own))) engine.registerFilter(name, filter)
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

/** Limits all output that is collected, including `capture` and blocks. */
function boundOutput({ renderer }: Liquid): void {
  const render = renderer.renderTemplates.bind(renderer)
  renderer.renderTemplates = (templates, context, emitter) =>
    render(templates, context, emitter instanceof PageEmitter ? emitter : new PageEmitter(emitter))
}

/** Filters that find items, and links to files and other pages. */
const linkFilters: Readonly<Record<string, PageFilter>> = {
  url: (run, value) => {
    const id = idOf(value)
    return id === null ? '' : run.linkTo(id)
  },
  item: async (run, value) => (Array.isArray(value) ? itemsOf(run, value) : itemOf(run, value)),
  rendition: async (run, value, name) => fileOf(run, value, writtenText(name)),
  file: async (run, value) => fileOf(run, value, 'original'),
}

/**
 * A string id, or the id of an object. Nothing else of the object is trusted, because a json field
 * can look like an item.
 */
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
    throw new Error(`it requests more than ${limits.pageMost} items at once`)
  const items = await Promise.all(values.map(async (value) => itemOf(run, value)))
  return items.filter((item) => item !== null)
}

async function fileOf(run: PageRun, value: unknown, rendition: string): Promise<string> {
  const item = await itemOf(run, value)
  return item === null ? '' : run.fileLink(item, rendition)
}

/** Filters for rich text. Their results are sanitized, so output does not escape them. */
const richTextFilters: Readonly<Record<string, PageFilter>> = {
  html: async (_run, value) => safeHtml(await sanitize(writtenText(value))),
  markdown: async (_run, value) => renderMarkdown(writtenText(value)),
  plain: (_run, value) =>
    plainTextOf(requireShort(writtenText(value)))
      .replaceAll(/\s+/g, ' ')
      .trim(),
}

/** Returns the text. Errors: when it is too long. */
function requireShort(text: string): string {
  if (text.length > limits.richText)
    throw new Error(`a rich text is longer than ${limits.richText} characters`)
  return text
}

async function renderMarkdown(markdown: string): Promise<SafeHtml | ''> {
  const yieldToLoop = yieldingToLoop()
  let html = ''
  for (const part of await htmlOfMarkdown(markdown, yieldToLoop)) {
    await yieldToLoop()
    html += await sanitize(part)
  }
  return safeHtml(html)
}

/** Sanitizes HTML. Errors: when it is too long, too deep or has too many tags. */
async function sanitize(html: string): Promise<string> {
  if (isTooDeep(requireShort(html))) throw new Error('a rich text is nested too deep')
  if (countMarkup(html) > limits.richTextMarks)
    throw new Error(`a rich text has more than ${limits.richTextMarks} tags and entities`)
  return sanitizeHtml(html)
}

type Filter = Exclude<FilterImplOptions, { readonly handler: unknown }>
/** Filters of the engine by name. */
type Filters = Readonly<Record<string, FilterImplOptions>>

const dates = ['date', 'date_to_xmlschema', 'date_to_rfc822', 'date_to_string', 'date_to_long_string']

/** Liquid's own filters, adapted: dates accept milliseconds, and texts are escaped only once. */
function textFilters(own: Filters): Readonly<Record<string, Filter>> {
  const escape = fastEscape(writtenText)
  return {
    ...Object.fromEntries(dates.map((name) => [name, dateFilter(filterOf(own, name))])),
    escape: escapeFilter(escape),
    xml_escape: escapeFilter(escape),
    escape_once: escapeFilter(filterOf(own, 'escape_once')),
    newline_to_br: lineBreaksFilter(escape, filterOf(own, 'newline_to_br')),
    json: jsonFilter(filterOf(own, 'json')),
  }
}

/** The filter for all output: it escapes everything but safe HTML. */
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

function lineBreaksFilter(escape: Filter, own: Filter): Filter {
  return function (value: unknown) {
    const html = value instanceof SafeHtml ? value.html : String(escape.call(this, writtenText(value)))
    return safeHtml(String(own.call(this, html)))
  }
}

/** JSON that is safe in a script element with `raw`, because no text in it can end the element. */
function jsonFilter(own: Filter): Filter {
  return function (value: unknown, ...rest: unknown[]) {
    return writtenText(own.call(this, value, ...rest)).replaceAll('<', String.raw`\u003c`)
  }
}

const iso = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?<zone>Z|[+-]\d{2}:?\d{2})?)?$/i

/**
 * The time that a value names: Unix milliseconds, or a text in ISO 8601, in UTC without a zone.
 * Null for anything else.
 */
function momentOf(value: unknown): Date | null {
  if (typeof value === 'number') return valid(new Date(value))
  if (typeof value !== 'string') return null
  const match = iso.exec(value)
  if (match === null) return null
  // ECMA-262 already parses a date without a time as UTC.
  const isLocal = value.length > 10 && match.groups?.['zone'] === undefined
  return valid(new Date(isLocal ? `${value}Z` : value))
}

function valid(date: Date): Date | null {
  return Number.isNaN(date.getTime()) ? null : date
}

/** A template filter that gets the run of its page. */
type PageFilter = (run: PageRun, value: unknown, argument: unknown) => unknown
