import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../ports/index.ts'
import {
  isSameSide,
  mergeEntity,
  type EntityMerge,
  type Side,
  resolve,
  valueAt,
  withValue,
} from './entity.ts'
import { changesBetween } from './changes.ts'
import type { Strategy } from './merge.ts'
import { isSame } from '../../engine/same.ts'

const scalar = fc.constantFrom<Json>('a', 'b', 'one\ntwo', 1, 2, true)
const value = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 2 }),
  fc.dictionary(fc.constantFrom('x', 'y'), scalar, { maxKeys: 2 }),
)
const content: fc.Arbitrary<JsonObject> = fc.dictionary(fc.constantFrom('p', 'q', 'set', 'text'), value)
const pinned = fc.constantFrom(null, 1, 2)

/** A possible side of main: any version or none is published. */
const mainSide: fc.Arbitrary<Side> = fc.record({
  content,
  archived: fc.boolean(),
  deleted: fc.boolean(),
  published: pinned,
})
const living = mainSide.map((side) => ({ ...side, deleted: false }))

/**
 * A possible side of a package on a base: it leaves the published version, unpublishes it, or
 * publishes its own head.
 */
const packageSide = (base: Side): fc.Arbitrary<Side> =>
  fc
    .record({
      side: mainSide,
      isUntouched: fc.boolean(),
      published: fc.constantFrom(base.published, null, 'head' as const),
    })
    .map(({ side, isUntouched, published }) => ({
      ...side,
      published,
      // Packages often change only the state.
      content: isUntouched ? base.content : side.content,
    }))

interface Three {
  readonly base: Side
  readonly ours: Side
  readonly theirs: Side
}
const three: fc.Arbitrary<Three> = mainSide.chain((base) =>
  fc.record({ base: fc.constant(base), ours: packageSide(base), theirs: mainSide }),
)

const strategyOf = (path: string): Strategy => (path === 'set' ? 'set' : path === 'text' ? 'lines' : 'value')
const merge = (base: Side | null, ours: Side, theirs: Side | null) =>
  mergeEntity({ base, ours, theirs }, strategyOf)

const isClean = ({ merged, conflicts }: EntityMerge, side: Side | null) =>
  conflicts.length === 0 && (merged && side ? isSameSide(merged, side) : merged === side)

const aSide: Side = { content: { p: 1 }, archived: false, deleted: false, published: null }

describe('a merge of three sides of an entity', () => {
  it('takes theirs if the package changed nothing, even if main no longer has the entity', () => {
    fc.assert(
      fc.property(mainSide, fc.option(mainSide), (base, theirs) =>
        isClean(merge(base, base, theirs), theirs),
      ),
    )
  })

  it('takes ours if main changed nothing', () => {
    fc.assert(fc.property(three, ({ base, ours }) => isClean(merge(base, ours, base), ours)))
  })

  it('applies equal edits once', () => {
    fc.assert(
      fc.property(mainSide, mainSide, fc.boolean(), (base, side, isReverted) => {
        const both = { ...side, published: isReverted ? null : base.published }
        return isClean(merge(base, both, both), both)
      }),
    )
  })

  it('applies equal edits once if members are null, because null and absent are equal', () => {
    const base = { ...aSide, content: { p: 1, folderId: null } }
    const both = { ...aSide, content: { p: 2, folderId: null } }
    expect(isClean(merge(base, both, both), both)).toBe(true)
  })

  it('gives the same result whichever side is ours, if the sides changed different members', () => {
    const left = fc.record({ p: scalar, q: scalar }, { requiredKeys: [] })
    const right = fc.record({ r: scalar, text: scalar }, { requiredKeys: [] })
    fc.assert(
      fc.property(
        fc.record({ base: living, l: left, r: right, archived: fc.boolean() }),
        ({ base, l, r, archived }) => {
          const one = { ...base, content: { ...base.content, ...l }, archived }
          const other = { ...base, content: { ...base.content, ...r }, published: null }
          const [here, there] = [merge(base, one, other), merge(base, other, one)]
          return (
            here.merged !== null &&
            isClean(there, here.merged) &&
            here.merged.archived === archived &&
            here.merged.published === null
          )
        },
      ),
    )
  })

  it('changes nothing when merged again', () => {
    fc.assert(
      fc.property(three, ({ base, ours, theirs }) => {
        const { merged } = merge(base, ours, theirs)
        return merged === null || isClean(merge(theirs, merged, theirs), merged)
      }),
    )
  })

  it('applies or reports every change of either side', () => {
    fc.assert(
      fc.property(three, ({ base, ours, theirs }) => {
        const result = merge(base, ours, theirs)
        return [ours, theirs].every((side) => isConserved(result, base, side))
      }),
      { numRuns: 500 },
    )
  })

  it('reports each path once, with the values of the three sides', () => {
    fc.assert(
      fc.property(three, ({ base, ours, theirs }) => {
        const { conflicts } = merge(base, ours, theirs)
        const contents = conflicts.filter(({ path }) => path !== '' && path !== 'publishedVersion')
        return (
          new Set(conflicts.map(({ path }) => path)).size === conflicts.length &&
          contents.every(
            (conflict) =>
              isSame(conflict.base, valueAt(base.content, conflict.path)) &&
              isSame(conflict.ours, valueAt(ours.content, conflict.path)) &&
              isSame(conflict.theirs, valueAt(theirs.content, conflict.path)),
          )
        )
      }),
    )
  })
})

describe('an entity that the package created', () => {
  it('is added as it is in the package', () => {
    fc.assert(fc.property(living, (ours) => isClean(merge(null, ours, null), ours)))
  })

  it('is not added if the package deleted it again', () => {
    fc.assert(
      fc.property(living, fc.option(mainSide), (side, theirs) =>
        isClean(merge(null, { ...side, deleted: true }, theirs), theirs),
      ),
    )
  })
})

describe('a delete', () => {
  const changed = fc
    .tuple(living, content)
    .filter(([base, other]) => !isSame(base.content, other))
    .map(([base, other]) => ({ base, changed: { ...base, content: other } }))

  it('in the package conflicts as a whole with a change on main', () => {
    fc.assert(
      fc.property(changed, ({ base, changed: theirs }) => {
        const ours = { ...base, deleted: true }
        expect(merge(base, ours, theirs)).toEqual({
          merged: ours,
          conflicts: [
            {
              path: '',
              kind: 'deleted_in_package',
              base: base.content,
              ours: null,
              theirs: theirs.content,
            },
          ],
        })
      }),
    )
  })

  it.each(['softly', 'for good'])('on main (%s) conflicts as a whole with a change in the package', (how) => {
    fc.assert(
      fc.property(changed, ({ base, changed: ours }) => {
        const theirs = how === 'softly' ? { ...base, deleted: true } : null
        // If main no longer has the entity, its published version is gone too.
        const published = theirs || ours.published === 'head' ? ours.published : null
        expect(merge(base, ours, theirs)).toEqual({
          merged: { ...ours, published },
          conflicts: [
            { path: '', kind: 'deleted_on_main', base: base.content, ours: ours.content, theirs: null },
          ],
        })
      }),
    )
  })

  it('on both sides is not a conflict, whatever else was changed before', () => {
    fc.assert(
      fc.property(living, mainSide, fc.option(mainSide), (base, one, other) => {
        const [ours, theirs] = [
          { ...one, deleted: true, published: base.published },
          other && { ...other, deleted: true },
        ]
        const { merged, conflicts } = merge(base, ours, theirs)
        return conflicts.length === 0 && (merged === null || merged.deleted)
      }),
    )
  })

  it('that main made earlier can be undone by either side alone', () => {
    const base = { ...aSide, deleted: true }
    expect(isClean(merge(base, aSide, base), aSide)).toBe(true)
    expect(isClean(merge(base, { ...base, archived: true }, aSide), { ...aSide, archived: true })).toBe(true)
  })
})

describe('the published version', () => {
  const published = (value: Side['published'], p = 1): Side => ({
    ...aSide,
    content: { p, q: 1 },
    published: value,
  })
  // A change of its own on main, so that both sides changed.
  const onMain = (value: number | null): Side => ({ ...aSide, content: { p: 1, q: 2 }, published: value })

  type Pins = readonly [base: number | null, ours: Side['published'], theirs: number | null]
  it.each<[string, Pins, { is: Side['published']; conflicts?: string[] }]>([
    ['stays if neither side changed it', [1, 1, 1], { is: 1 }],
    ['is the one that main published since', [1, 1, 2], { is: 2 }],
    ['is none if main unpublished it', [1, 1, null], { is: null }],
    ['is none if the package unpublished it', [1, null, 1], { is: null }],
    ['is none if both unpublished it', [1, null, null], { is: null }],
    ['is the merged content if the package publishes it', [1, 'head', 1], { is: 'head' }],
    ['is the merged content even if main published another version', [1, 'head', 2], { is: 'head' }],
    ['is first published by the package', [null, 'head', null], { is: 'head' }],
    ['is first published by main', [null, null, 2], { is: 2 }],
    ['is the merged content if both published it for the first time', [null, 'head', 2], { is: 'head' }],
    [
      'is a conflict if we unpublished it and main published another version',
      [1, null, 2],
      { is: null, conflicts: ['publishedVersion'] },
    ],
  ])('%s', (_name, [base, ours, theirs], { is, conflicts = [] }) => {
    const { merged, conflicts: found } = merge(published(base), published(ours, 2), onMain(theirs))
    expect(merged?.published).toBe(is)
    expect(found.map(({ path }) => path)).toEqual(conflicts)
  })
})

describe('resolving a conflict', () => {
  const conflicting = three
    .map((sides) => ({ ...sides, result: merge(sides.base, sides.ours, sides.theirs) }))
    .filter(({ result }) => result.conflicts.length > 0)

  it('removes this conflict and leaves the others', () => {
    fc.assert(
      fc.property(conflicting, fc.nat(), fc.constantFrom('ours', 'theirs'), ({ result, theirs }, at, use) => {
        const conflict = result.conflicts[at % result.conflicts.length]
        if (!conflict) return false
        const settled = resolve(result, { conflict, by: { use }, theirs })
        expect(settled.conflicts).toEqual(result.conflicts.filter((other) => other !== conflict))
        return true
      }),
    )
  })

  it('with ours leaves the merge unchanged, and with theirs takes the value of main', () => {
    fc.assert(
      fc.property(conflicting, fc.nat(), ({ result, theirs }, at) => {
        const conflict = result.conflicts[at % result.conflicts.length]
        if (!conflict) return false
        expect(resolve(result, { conflict, by: { use: 'ours' }, theirs }).merged).toEqual(result.merged)
        const { merged } = resolve(result, { conflict, by: { use: 'theirs' }, theirs })
        if (conflict.path === '') return merged === theirs
        if (conflict.path === 'publishedVersion') return merged?.published === theirs.published
        return isSame(valueAt(merged?.content ?? {}, conflict.path), conflict.theirs)
      }),
    )
  })

  it('with theirs at every path takes all conflicting values of main and the merged values elsewhere', () => {
    fc.assert(
      fc.property(conflicting, ({ result, theirs }) => {
        const settled = result.conflicts.reduce(
          (left, conflict) => resolve(left, { conflict, by: { use: 'theirs' }, theirs }),
          result,
        )
        const wanted = result.conflicts.reduce(
          (left, { path }) =>
            path === '' || path === 'publishedVersion'
              ? left
              : withValue(left, path, valueAt(theirs.content, path)),
          result.merged?.content ?? {},
        )
        const isWhole = result.conflicts.some(({ path }) => path === '')
        return (
          settled.conflicts.length === 0 && isSame(settled.merged?.content, isWhole ? theirs.content : wanted)
        )
      }),
    )
  })

  it('with a value sets that value', () => {
    const result = merge(
      { ...aSide, content: { o: { p: 1 }, q: 1 } },
      { ...aSide, content: { o: { p: 2 }, q: 1 } },
      { ...aSide, content: { o: { p: 3 }, q: 1 } },
    )
    const by = (json: Json) =>
      result.conflicts.map(
        (conflict) => resolve(result, { conflict, by: { value: json }, theirs: aSide }).merged?.content,
      )
    expect(by(4)).toEqual([{ o: { p: 4 }, q: 1 }])
    expect(by(null)).toEqual([{ o: {}, q: 1 }])
  })
})

describe('a value at a path', () => {
  const path = fc
    .array(fc.constantFrom('p', 'q', 'x', 'y'), { minLength: 1, maxLength: 3 })
    .map((names) => names.join('.'))

  it('is read after it was set', () => {
    fc.assert(fc.property(content, path, value, (o, at, v) => isSame(valueAt(withValue(o, at, v), at), v)))
  })

  it('is absent after it was set to null', () => {
    fc.assert(fc.property(content, path, (o, at) => valueAt(withValue(o, at, null), at) === null))
  })

  it('changes nothing if it is set to the same value', () => {
    fc.assert(
      fc.property(content, path, (o, at) => {
        const found = valueAt(o, at)
        return found === null || isSame(withValue(o, at, found), o)
      }),
    )
  })

  it('replaces the previous value', () => {
    fc.assert(
      fc.property(content, path, fc.tuple(value, value), (o, at, [one, other]) =>
        isSame(withValue(withValue(o, at, one), at, other), withValue(o, at, other)),
      ),
    )
  })

  it('leaves the other members unchanged', () => {
    fc.assert(
      fc.property(content, path, value, (o, at, v) => {
        const [top = ''] = at.split('.')
        const others = (object: JsonObject) =>
          Object.fromEntries(Object.entries(object).filter(([name]) => name !== top))
        return isSame(others(withValue(o, at, v)), others(o))
      }),
    )
  })

  it('does not modify the original object', () => {
    fc.assert(
      fc.property(content, path, value, (o, at, v) => {
        const before = JSON.stringify(o)
        withValue(o, at, v)
        return JSON.stringify(o) === before
      }),
    )
  })
})

/** Whether every change of a side is in the merge or reported. */
function isConserved({ merged, conflicts }: EntityMerge, base: Side, side: Side): boolean {
  const isReported = (path: string) =>
    conflicts.some((conflict) => conflict.path === '' || `${path}.`.startsWith(`${conflict.path}.`))
  if (isReported('')) return true
  // If the entity is deleted, its content no longer matters. A conflict with a delete would have
  // been reported.
  if (!merged || (merged.deleted && !base.deleted)) return side.deleted || isSameSide(side, base)
  return (
    isStateRetained({ merged, base, side }, 'archived') &&
    isStateRetained({ merged, base, side }, 'deleted') &&
    (isPublishedRetained({ merged, base, side }) || isReported('publishedVersion')) &&
    changesBetween(base.content, side.content).every((change) =>
      isStored(merged.content, isReported, {
        path: change.path,
        after: 'after' in change ? change.after : null,
      }),
    )
  )
}

interface RetainedState {
  readonly merged: Side
  readonly base: Side
  readonly side: Side
}

function isStateRetained({ merged, base, side }: RetainedState, state: 'archived' | 'deleted'): boolean {
  return side[state] === base[state] || merged[state] === side[state]
}

// Publishing the merged content is compatible with whatever main published or unpublished.
function isPublishedRetained({ merged, base, side }: RetainedState): boolean {
  return (
    side.published === base.published || merged.published === 'head' || merged.published === side.published
  )
}

function isStored(
  object: JsonObject,
  isReported: (path: string) => boolean,
  { path, after }: { path: string; after: Json },
): boolean {
  if (isReported(path) || isMergedWithin(valueAt(object, path), path)) return true
  if (!isObject(after)) return isSame(valueAt(object, path), after)
  return Object.entries(after).every(([name, inner]) =>
    isStored(object, isReported, { path: `${path}.${name}`, after: inner }),
  )
}

// Sets and texts merge within their value, so the merged value can differ from both sides.
function isMergedWithin(merged: Json, path: string): boolean {
  return (path === 'set' && Array.isArray(merged)) || (path === 'text' && typeof merged === 'string')
}

function isObject(json: Json): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}
