import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { headersOfTrace, noTrace, parseTraceHeaders, traceIdOf, traceOfHeaders } from './trace.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'
const traceparent = `00-${traceId}-${spanId}-01`

const digits = '0123456789abcdef'.split('')
const hex = (length: number) =>
  fc.array(fc.constantFrom(...digits), { minLength: length, maxLength: length }).map((all) => all.join(''))
const isZero = (id: string) => /^0+$/.test(id)

describe('a traceparent', () => {
  it('is passed on as it came, with no flag but the one for sampling', () => {
    const sent = fc.record({ trace: hex(32), span: hex(16), flags: hex(2) })
    fc.assert(
      fc.property(sent, ({ trace, span, flags }) => {
        fc.pre(!isZero(trace) && !isZero(span))
        const passed = headersOfTrace(traceOfHeaders({ traceparent: `00-${trace}-${span}-${flags}` }))
        const isSampled = (Number.parseInt(flags, 16) & 1) === 1
        expect(passed).toEqual({ traceparent: `00-${trace}-${span}-${isSampled ? '01' : '00'}` })
      }),
    )
  })

  it.each([
    '',
    traceparent.toUpperCase(),
    ` ${traceparent}`,
    `${traceparent}\n`,
    `${traceparent}-01`,
    `${traceparent}, ${traceparent}`,
    `${traceparent}\r\nx-injected: 1`,
    traceparent.replace('00-', '01-'),
    traceparent.replace('00-', 'ff-'),
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.slice(1)}-${spanId}-01`,
    `00-${traceId}-${spanId}`,
    `00-${traceId.replace('4', 'g')}-${spanId}-01`,
  ])('%j is ignored', (sent) => {
    expect(parseTraceHeaders({ traceparent: sent, tracestate: 'a=1' })).toBeNull()
    expect(traceOfHeaders({ traceparent: sent })).toBe(noTrace)
    expect(traceIdOf(traceOfHeaders({ traceparent: sent }))).toBeUndefined()
  })

  it('of any other text is never passed on', () => {
    const position = fc.nat({ max: traceparent.length - 1 })
    const changed = fc.tuple(position, fc.string({ unit: 'binary', maxLength: 3 })).map(([at, text]) => {
      return `${traceparent.slice(0, at)}${text}${traceparent.slice(at + 1)}`
    })
    fc.assert(
      fc.property(fc.oneof(changed, fc.string({ unit: 'binary' })), (sent) => {
        const passed = headersOfTrace(traceOfHeaders({ traceparent: sent }))?.traceparent
        // The last digit holds the flags that are left out.
        expect([undefined, sent.slice(0, -2)]).toContain(passed?.slice(0, -2))
      }),
      { numRuns: 2000 },
    )
  })
})

describe('a tracestate', () => {
  const passedOn = (tracestate: string) =>
    headersOfTrace(traceOfHeaders({ traceparent, tracestate }))?.tracestate

  it('is passed on, without invalid entries', () => {
    expect(passedOn('vendor=1,other@tenant=a b')).toBe('vendor=1,other@tenant=a b')
    expect(passedOn('vendor=1,Broken=2,other=\u00e9')).toBe('vendor=1')
    expect(passedOn('vendor=1\r\nx-injected: 1')).toBeUndefined()
  })

  it('of more than 512 characters is ignored', () => {
    const ofLength = (length: number) =>
      `a=${'x'.repeat(200)},b=${'x'.repeat(200)},c=${'x'.repeat(length - 408)}`
    expect(passedOn(ofLength(512))).toHaveLength(512)
    expect(passedOn(ofLength(513))).toBeUndefined()
  })

  it('is a valid header, whatever was sent', () => {
    const text = fc.string({ unit: 'binary', maxLength: 600 })
    const entries = fc.array(fc.tuple(fc.string(), text), { maxLength: 40 })
    const list = entries.map((all) => all.map(([key, value]) => `${key}=${value}`).join(','))
    fc.assert(
      fc.property(fc.oneof(text, list), (sent) => {
        expect(passedOn(sent) ?? 'none').toMatch(/^[\x20-\x7e]{1,512}$/)
      }),
      { numRuns: 1000 },
    )
  })
})
