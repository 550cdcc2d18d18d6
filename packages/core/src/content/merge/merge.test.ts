import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../ports/index.ts'
import { changesBetween } from './changes.ts'
import { mergeObjects, type Strategy } from './merge.ts'
import { isSame } from '../../engine/same.ts'

const scalar = fc.constantFrom<Json>('a', 'b', 'one\ntwo\nthree', 1, 2, true)
const value = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('x', 'y'), scalar, { maxKeys: 2 }),
)
const object: fc.Arbitrary<JsonObject> = fc.dictionary(fc.constantFrom('p', 'q', 'r', 'set', 'text'), value)

const strategyOf = (path: string): Strategy => (path === 'set' ? 'set' : path === 'text' ? 'lines' : 'value')
const merge = (base: JsonObject, ours: JsonObject, theirs: JsonObject) =>
  mergeObjects({ base, ours, theirs }, strategyOf)

describe('a merge of three', () => {
  it('takes theirs if we changed nothing', () => {
    fc.assert(
      fc.property(
        object,
        object,
        (b, t) => isSame(merge(b, b, t).merged, t) && merge(b, b, t).conflicts.length === 0,
      ),
    )
  })

  it('takes ours if they changed nothing', () => {
    fc.assert(
      fc.property(
        object,
        object,
        (b, o) => isSame(merge(b, o, b).merged, o) && merge(b, o, b).conflicts.length === 0,
      ),
    )
  })

  it('applies equal changes once', () => {
    fc.assert(
      fc.property(
        object,
        object,
        (b, x) => isSame(merge(b, x, x).merged, x) && merge(b, x, x).conflicts.length === 0,
      ),
    )
  })

  it('gives the same result whichever side is ours, if the sides changed different members', () => {
    const left = fc.dictionary(fc.constantFrom('p', 'q'), scalar)
    const right = fc.dictionary(fc.constantFrom('r', 'text'), scalar)
    fc.assert(
      fc.property(object, left, right, (b, l, r) => {
        const [ours, theirs] = [
          { ...b, ...l },
          { ...b, ...r },
        ]
        return isSame(merge(b, ours, theirs).merged, merge(b, theirs, ours).merged)
      }),
    )
  })

  it('changes nothing when merged again', () => {
    fc.assert(
      fc.property(object, object, object, (b, o, t) => {
        const { merged } = merge(b, o, t)
        return isSame(merge(t, merged, t).merged, merged)
      }),
    )
  })

  it('applies or reports every change of ours and theirs', () => {
    fc.assert(
      fc.property(object, object, object, (b, o, t) => {
        const { merged, conflicts } = merge(b, o, t)
        const isReported = (path: string) =>
          conflicts.some((conflict) => `${path}.`.startsWith(`${conflict.path}.`))
        const isStored = (path: string, after: Json): boolean => {
          if (isReported(path) || isMergedWithin(at(merged, path), path)) return true
          if (!isObject(after)) return isSame(at(merged, path), after)
          return Object.entries(after).every(([name, value]) => isStored(`${path}.${name}`, value))
        }
        return [o, t].every((side) =>
          changesBetween(b, side).every((change) =>
            isStored(change.path, 'after' in change ? change.after : null),
          ),
        )
      }),
    )
  })

  it('reports a member that both changed differently with all three values', () => {
    expect(merge({ p: 1, q: 1 }, { p: 2, q: 1 }, { p: 3, q: 2 })).toEqual({
      merged: { p: 2, q: 2 },
      conflicts: [{ path: 'p', base: 1, yours: 2, theirs: 3 }],
    })
  })

  it('merges members of objects one by one', () => {
    const { merged, conflicts } = merge({ p: { x: 1, y: 1 } }, { p: { x: 2, y: 1 } }, { p: { x: 1, y: 2 } })
    expect({ merged, conflicts }).toEqual({ merged: { p: { x: 2, y: 2 } }, conflicts: [] })
  })

  it('merges sets: adds what either side added and removes what either side removed', () => {
    expect(
      merge({ set: ['a', 'b', 'c'] }, { set: ['b', 'c', 'd'] }, { set: ['a', 'c', 'e'] }).merged,
    ).toEqual({ set: ['c', 'd', 'e'] })
  })

  it('merges changes of different lines of a text, and reports changes of the same lines', () => {
    const base = { text: 'one\ntwo\nthree' }
    expect(merge(base, { text: 'ONE\ntwo\nthree' }, { text: 'one\ntwo\nTHREE' }).merged).toEqual({
      text: 'ONE\ntwo\nTHREE',
    })
    expect(merge(base, { text: 'one\n2\nthree' }, { text: 'one\nzwei\nthree' }).conflicts).toHaveLength(1)
  })
})

describe('a long text', () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index}`)
  const edited = (at: number, line: string) => lines.with(at, line).join('\n')
  const merge = (base: string, ours: string, theirs: string) => {
    const started = performance.now()
    const result = mergeObjects(
      { base: { text: base }, ours: { text: ours }, theirs: { text: theirs } },
      strategyOf,
    )
    return { ...result, ms: performance.now() - started }
  }

  it('merges by lines in linear time', () => {
    const { merged, conflicts, ms } = merge(lines.join('\n'), edited(0, 'first'), edited(19_999, 'last'))
    expect(conflicts).toEqual([])
    expect(merged['text']).toBe(lines.with(0, 'first').with(19_999, 'last').join('\n'))
    expect(ms).toBeLessThan(500)
    expect(merge(lines.join('\n'), edited(7, 'one'), edited(7, 'other')).conflicts).toHaveLength(1)
  })

  it('merges lines that were added and removed on both sides', () => {
    const ours = [...lines.slice(10), 'end'].join('\n')
    const theirs = ['start', ...lines.slice(0, 9000), 'a', 'b', ...lines.slice(9100)].join('\n')
    const { merged, conflicts } = merge(lines.join('\n'), ours, theirs)
    expect(conflicts).toHaveLength(1)
    const apart = ['start', ...lines].join('\n')
    expect(merge(lines.join('\n'), [...lines, 'end'].join('\n'), apart).merged['text']).toBe(`${apart}\nend`)
    expect(merged['text']).toBe(ours)
  })

  it.each([
    ['equal lines', 'a\n'.repeat(20_000), 'a\n'.repeat(20_001), 'a\n'.repeat(20_002)],
    ['lines in another order', lines.join('\n'), lines.toReversed().join('\n'), edited(0, 'x')],
    ['half a million lines', '', '\n'.repeat(500_000), '\n'.repeat(499_999)],
  ])('of %s is a conflict at once', (...[, base, ours, theirs]) => {
    const { conflicts, ms } = merge(base, ours, theirs)
    expect(conflicts).toHaveLength(1)
    expect(ms).toBeLessThan(500)
  })
})

it('merges long sets in linear time', () => {
  const ids = Array.from({ length: 5000 }, (_, index) => `CONT_${index}`)
  const started = performance.now()
  const sides = { base: { set: ids }, ours: { set: ids.slice(1) }, theirs: { set: [...ids, 'new'] } }
  expect(mergeObjects(sides, strategyOf).merged['set']).toEqual([...ids.slice(1), 'new'])
  expect(performance.now() - started).toBeLessThan(200)
})

it('reports differences below long names as a whole', () => {
  const long = 'x'.repeat(1000)
  const before = { [long]: { a: 1, b: 1 }, short: { a: 1, b: 1 } }
  const after = { [long]: { a: 2, b: 1 }, short: { a: 2, b: 1 } }
  expect(changesBetween(before, after).map(({ path }) => path)).toEqual([long, 'short.a'])
})

// Sets and texts merge within their value, so the merged value can differ from both sides.
function isMergedWithin(merged: Json, path: string): boolean {
  return (path === 'set' && Array.isArray(merged)) || (path === 'text' && typeof merged === 'string')
}

function at(object: JsonObject, path: string): Json {
  return path
    .split('.')
    .reduce<Json>((value, name) => (isObject(value) ? (value[name] ?? null) : null), object)
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
