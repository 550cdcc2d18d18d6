import { limits } from '@quire/contract'
import type { Emitter } from 'liquidjs'

/** Collects what templates write, up to the bytes of a page. Errors: past that, before memory is taken for it. */
export class PageEmitter implements Emitter {
  buffer = ''
  readonly #within: Emitter | undefined

  /** `within`: what is written goes there too. */
  constructor(within?: Emitter) {
    this.#within = within
  }

  write(value: unknown): void {
    const text = writtenText(value)
    if (this.buffer.length + text.length > limits.pageBytes) throw new Error(tooLarge)
    this.buffer += text
    this.#within?.write(text)
  }
}

/** What is said of a page with too many bytes. */
export const tooLarge = `it gives more than ${limits.pageBytes} bytes`

/** A value as text. What is not data (a member that is made when a template reads it) is none. */
export function writtenText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return value.map(writtenText).join('')
  return typeof value === 'object' && value !== null ? objectText(value) : ''
}

/** Objects of data have no text of their own; those of the engine and safe HTML do. */
function objectText(value: object): string {
  if (Reflect.getPrototypeOf(value) === Object.prototype) return ''
  const own: unknown = value.valueOf()
  return typeof own === 'object' ? '' : writtenText(own)
}

/** Whether a page is larger than one may be. */
export function isTooLarge(html: string): boolean {
  // No character of UTF-16 takes more than three bytes of UTF-8.
  if (html.length * 3 <= limits.pageBytes) return false
  return new TextEncoder().encode(html).length > limits.pageBytes
}
