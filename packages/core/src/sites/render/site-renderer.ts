import { limits, type Item } from '@quire/contract'
import type { Context, LiquidError } from 'liquidjs'
import type { PageNode, SiteMap } from '../site-map.ts'
import { placeOf, problemOf } from './liquid-problem.ts'
import { isTooLarge, tooLarge } from './page-emitter.ts'
import { createLiquidGuard, rangeSteps } from '../../call/liquid-guard.ts'
import { PageRun } from './page-run.ts'
import type { RenderSource } from './render-source.ts'
import { safeHtml } from './safe-html.ts'
import { createSiteLinks, upFrom } from './site-links.ts'
import { createSiteLiquid } from './site-liquid.ts'
import { SiteViews } from './site-views.ts'
import { type Guard, resultOf, type Steps } from '../../call/liquid-steps.ts'
import { TemplateFault } from './template-fault.ts'

/** A page as it is served. */
export interface RenderedPage {
  readonly html: string
  /** Ids of all that it shows; `tree` when it shows what stands in the site. */
  readonly uses: ReadonlySet<string>
}

/** Renders the pages of one site. */
export interface SiteRenderer {
  /**
   * The document of a page: its template, within the layout of its section, within that of the site.
   *
   * **Errors**: TemplateFault when a template is missing, cannot be parsed, fails, or goes over the bounds of a page. What the source
   * fails with, as it is.
   */
  render(node: PageNode): Promise<RenderedPage>
}

/** What a renderer works with. */
export interface SiteRendererParts {
  readonly map: SiteMap
  readonly repository: { readonly id: string; readonly name: string }
  readonly source: RenderSource
  /** What templates read as `preview`. */
  readonly isPreview: boolean
}

/**
 * A renderer for the pages of a site as it is now: templates are parsed once, when a page first needs them. Pages can be rendered at the
 * same time. Values are escaped unless a template says `raw`; files and prototypes are out of reach of templates.
 */
export async function createSiteRenderer(parts: SiteRendererParts): Promise<SiteRenderer> {
  const { map, source } = parts
  const { Context: PageContext, LiquidError: EngineError } = await import('liquidjs')
  const runs = new WeakMap<object, PageRun>()
  const liquid = await createSiteLiquid(map.site.templates, (globals) => requireRun(runs, globals))
  const { engine } = liquid
  const isRange = await rangeSteps(new PageContext({}, engine.options, {}, { liquid: engine }))
  const shared = { map, source, links: createSiteLinks(map) }

  const htmlOf = async (run: PageRun): Promise<string> => {
    const item = run.node.page.itemId === null ? null : await run.item(run.node.page.itemId)
    const globals = globalsOf(run, { item, parts })
    runs.set(globals, run)
    const context = new PageContext({}, engine.options, { globals }, { liquid: engine })
    const guard = createLiquidGuard(isRange, limits.renderTime)
    // The engine's own limit would count what a page waits for too: a picture that is made.
    context.renderLimit.check = guard.look
    return wrapped(run, { context, guard, stepsOf })
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

function globalsOf(run: PageRun, { item, parts }: { item: Item | null; parts: SiteRendererParts }): object {
  const views = new SiteViews(run)
  const { node } = run
  return {
    item,
    page: views.page(node),
    section: views.section(node.section),
    site: views.site(),
    repository: { id: parts.repository.id, name: parts.repository.name },
    preview: parts.isPreview,
  }
}

interface Rendering {
  readonly context: Context
  readonly guard: Guard
  readonly stepsOf: (template: string, context: Context) => Steps
}

/** The template of a page within its layouts. All share one time and one memory. */
async function wrapped(run: PageRun, { context, guard, stepsOf }: Rendering): Promise<string> {
  let html = ''
  for (const name of templatesOf(run)) {
    run.template = name
    const steps = stepsOf(name, context.spawn({ content: safeHtml(html) }))
    html = String(await resultOf(steps, guard))
  }
  if (isTooLarge(html)) throw new Error(tooLarge)
  return html
}

/** The innermost first. */
function templatesOf({ node, parts }: PageRun): string[] {
  const sections = upFrom(node.section).map(({ section }) => section.layoutTemplate)
  const layout = sections.find((name) => name !== null) ?? null
  return [node.page.template, layout, parts.map.site.layoutTemplate].filter((name) => name !== null)
}

interface Failed {
  readonly run: PageRun
  readonly isEngineError: (error: unknown) => error is LiquidError
}

/** What a render ends with: the failure of the source as it is, for it is nothing that a template could mend; all else is a fault. */
function causeOf(error: unknown, { run, isEngineError }: Failed): unknown {
  if (run.failures.length > 0) return run.failures[0]
  if (isEngineError(error)) return new TemplateFault(run.node, placeOf(error, run.template), problemOf(error))
  const place = { template: run.template, line: null, column: null }
  return new TemplateFault(run.node, place, error instanceof Error ? error.message : String(error))
}
