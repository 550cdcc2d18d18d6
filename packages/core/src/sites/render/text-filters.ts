import type { FilterImplOptions } from 'liquidjs'
import { momentOf } from './date-value.ts'
import { writtenText } from './page-emitter.ts'
import { SafeHtml, safeHtml } from './safe-html.ts'

type Filter = Exclude<FilterImplOptions, { readonly handler: unknown }>
/** Filters of the engine by name. */
export type Filters = Readonly<Record<string, FilterImplOptions>>

const dates = ['date', 'date_to_xmlschema', 'date_to_rfc822', 'date_to_string', 'date_to_long_string']
const escapes = ['escape', 'escape_once', 'xml_escape']

/** Filters of Liquid itself, made to fit: dates in milliseconds, and texts that are escaped once. */
export function textFilters(own: Filters): Readonly<Record<string, Filter>> {
  return {
    ...Object.fromEntries(dates.map((name) => [name, dateFilter(filterOf(own, name))])),
    ...Object.fromEntries(escapes.map((name) => [name, escapeFilter(filterOf(own, name))])),
    newline_to_br: linesFilter(filterOf(own, 'escape'), filterOf(own, 'newline_to_br')),
    json: jsonFilter(filterOf(own, 'json')),
  }
}

/** What every output goes through: escaped, but for HTML that is safe as it is. */
export function outputEscape(own: Filters): Filter {
  const escape = filterOf(own, 'escape')
  return function (value: unknown) {
    return value instanceof SafeHtml ? value.html : String(escape.call(this, writtenText(value)))
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

function linesFilter(escape: Filter, lines: Filter): Filter {
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
