import type { Liquid } from 'liquidjs'

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
