import { limits } from '@quire/contract'
import type { Context, LiquidError } from 'liquidjs'
import type { RenderableNode, SiteMap } from '../site-map.ts'
import { isTooLarge, tooLarge, PageRun } from './page-run.ts'
import {
  boundAtOnce,
  createLiquidGuard,
  rangeSteps,
  type Guard,
  resultOf,
  type Steps,
} from '../../../engine/liquid-limits.ts'
import { type RenderSource, TemplateFault, type TemplatePosition } from './template-fault.ts'
import { safeHtml } from './markdown.ts'
import { createSiteLinks, upFrom } from './site-links.ts'
import { globalsOf } from './site-views.ts'
import { createSiteLiquid } from './site-liquid.ts'

/** A rendered page. */
interface RenderedPage {
  readonly html: string
  /** Ids of everything that it shows; `tree` when it shows the site's sections or pages. */
  readonly uses: ReadonlySet<string>
}

/** Renders the pages of one site. */
export interface SiteRenderer {
  /**
   * Renders the document of a page: its template within the layout of its section, within the
   * layout of the site.
   *
   * **Errors**: TemplateFault when a template is missing, cannot be parsed, fails, or exceeds the
   * limits of a page. Errors of the source are rethrown unchanged.
   */
  render(node: RenderableNode): Promise<RenderedPage>
}

/** The site, repository and source of a renderer. */
interface SiteRendererParts {
  readonly map: SiteMap
  /** The maps of the site in all its locales. Default: the one that is rendered. */
  readonly maps?: readonly SiteMap[]
  readonly repository: { readonly id: string; readonly name: string }
  readonly source: RenderSource
  /** The value of `preview` in templates. */
  readonly isPreview: boolean
  /** Awaited between the time slices of a render (see `Shared`), so that others are served. */
  readonly round: () => Promise<void>
}

/**
 * Creates a renderer for the pages of a site. Each template is parsed once, when a page first needs
 * it. Pages can be rendered concurrently. Values are escaped unless a template uses `raw`.
 * Templates cannot access files or prototypes.
 */
export async function createSiteRenderer(parts: SiteRendererParts): Promise<SiteRenderer> {
  const { map, maps = [map], source } = parts
  const { Context: PageContext, LiquidError: EngineError } = await import('liquidjs')
  const runs = new WeakMap<object, PageRun>()
  const liquid = await createSiteLiquid(map.site.templates, (globals) => requireRun(runs, globals))
  const { engine } = liquid
  const isRange = await rangeSteps(new PageContext({}, engine.options, {}, { liquid: engine }))
  const shared = { map, maps, source, links: createSiteLinks(map) }

  const htmlOf = async (run: PageRun): Promise<string> => {
    const item = run.node.page.itemId === null ? null : await run.item(run.node.page.itemId)
    const { repository, isPreview } = parts
    const globals = globalsOf(run, { item, repository, isPreview })
    runs.set(globals, run)
    const context = new PageContext({}, engine.options, { globals }, { liquid: engine })
    boundAtOnce(context)
    const guard = createLiquidGuard(isRange, { ms: limits.renderTime, round: parts.round })
    // The engine's own limit would also count the time that a page waits, for example for a
    // picture.
    context.renderLimit.check = guard.look
    return renderTemplates(run, { context, guard, stepsOf })
  }
  const stepsOf = (name: string, context: Context): Steps =>
    engine.renderer.renderTemplates(liquid.template(name), context)

  return {
    render: async (node) => {
      const run = new PageRun(node, shared)
      try {
        return { html: await htmlOf(run), uses: run.uses }
      } catch (error) {
        throw causeOf(error, { run, isEngineError: (value) => EngineError.is(value) })
      }
    },
  }
}

function requireRun(runs: WeakMap<object, PageRun>, globals: object): PageRun {
  const run = runs.get(globals)
  if (run === undefined) throw new TypeError('A filter was called outside a page')
  return run
}

interface Rendering {
  readonly context: Context
  readonly guard: Guard
  readonly stepsOf: (template: string, context: Context) => Steps
}

/** Renders the template of a page and then its layouts. All share one limit of time and memory. */
async function renderTemplates(run: PageRun, { context, guard, stepsOf }: Rendering): Promise<string> {
  let html = ''
  for (const name of templatesOf(run)) {
    run.template = name
    const steps = stepsOf(name, context.spawn({ content: safeHtml(html) }))
    html = String(await resultOf(steps, guard))
  }
  if (isTooLarge(html)) throw new Error(tooLarge)
  return html
}

/** The names of a page's template and layouts, innermost first. */
function templatesOf({ node, parts }: PageRun): string[] {
  const sections = upFrom(node.section).map(({ section }) => section.layoutTemplate)
  const layout = sections.find((name) => name !== null) ?? null
  return [node.page.template, layout, parts.map.site.layoutTemplate].filter((name) => name !== null)
}

interface RenderFailure {
  readonly run: PageRun
  readonly isEngineError: (error: unknown) => error is LiquidError
}

/**
 * The error to throw for a failed render: an error of the source unchanged, because no template can
 * fix it; anything else as a TemplateFault.
 */
function causeOf(error: unknown, { run, isEngineError }: RenderFailure): unknown {
  if (run.failures.length > 0) return run.failures[0]
  if (isEngineError(error))
    return new TemplateFault(run.node, positionOf(error, run.template), problemOf(error))
  const position = { template: run.template, line: null, column: null }
  return new TemplateFault(run.node, position, error instanceof Error ? error.message : String(error))
}

/**
 * The position of an engine error, counted from 1. An error without a position gets the name of the
 * rendered template.
 */
function positionOf({ token }: LiquidError, rendered: string | null): TemplatePosition {
  if (token.file === undefined) return { template: rendered, line: null, column: null }
  const [line = null, column = null] = token.getPosition()
  return { template: token.file, line, column }
}

/** A readable message for an error of the engine. */
function problemOf(error: LiquidError): string {
  const message = messageOf(error)
  const found = rewordings.find(([pattern]) => pattern.test(message))
  return found === undefined ? message : message.replace(...found)
}

/** The message of an error without the position that the engine appends. */
function messageOf({ message, originalError }: LiquidError): string {
  const own = originalError?.message ?? message
  return own.replace(/(?:, file:[^\n]*)?, line:\d+, col:\d+$/, '').split('\n', 1)[0] ?? ''
}

const rewordings: readonly (readonly [RegExp, string])[] = [
  [/^undefined filter: (.*)$/, 'there is no filter "$1"'],
  [/^tag "(.*)" not found$/, 'there is no tag "$1"'],
  [/^tag (.*) not closed$/, '$1 is not closed'],
  [/^output (.*) not closed$/, '$1 is not closed'],
  [/^memory alloc limit exceeded$/, 'it takes more memory than a page may'],
  [/^illegal file path .*$/, 'the template to show has no name'],
  [/^Invalid string length$/, tooLarge],
  [/^parse length limit exceeded$/, `it is longer than ${limits.template} characters`],
  [/^Maximum call stack size exceeded$/, 'it is nested too deep'],
]
