import { endpoints } from '@quire/contract'
import { expect, it } from 'vitest'
import { requireUnreservedName } from './names.ts'

const paths = endpoints.flatMap(({ group, operation, endpoint: { method, path, packagePath } }) =>
  [path, packagePath].flatMap((template) =>
    template === undefined
      ? []
      : [{ name: `${group}.${operation}`, method, segments: template.split('/').map(segmentOf) }],
  ),
)

/** A name in braces is a member of the input, everything else a word. */
function segmentOf(text: string) {
  const member = /^\{(\w+)\*?\}$/.exec(text)?.[1]
  return member === undefined ? { word: text } : { member }
}

type Segment = ReturnType<typeof segmentOf>

const isSlashed = ({ member }: Segment) => member === 'packageName'

/** What a path leads to if a proxy decodes the slashes of a name with so many segments. */
function decoded(count: number) {
  return paths
    .filter(({ segments }) => segments.some(isSlashed))
    .flatMap(({ name, method, segments }) => {
      const sent = segments.flatMap((one) =>
        isSlashed(one) ? Array.from({ length: count }, () => one) : [one],
      )
      const reached = paths.filter(
        (other) => other.method === method && other.segments.length === sent.length,
      )
      return reached.flatMap((other) => (fits(sent, other.segments) ? [{ from: name, sent, to: other }] : []))
    })
}

/** A word is reached only by itself: neither a segment of a name nor an id is a word of the API. */
function fits(sent: readonly Segment[], to: readonly Segment[]): boolean {
  return to.every((segment, at) => (segment.word ?? '') === (sent[at]?.word ?? ''))
}

it('no name leads to another operation, except for the id of an entity, which is not a name', () => {
  for (const count of [2, 3, 4, 5])
    for (const { from, sent, to } of decoded(count)) {
      const first = sent.findIndex(isSlashed)
      const others = to.segments.slice(first + 1, first + count)
      expect(
        others.some(({ member = '' }) => /^(?:id|\w+Id)$/.test(member)),
        `${from} → ${to.name}`,
      ).toBe(true)
    }
})

const id = 'CONT_01JB2Q4YQ6S0M5W8V9TZ3XKD7E'

it.each(['a', 'a/b/c', 'merge', 'Frühling/2027', 'agent/translator/2026-11-27-1', 'CONT_1/a'])(
  '%s is a name',
  (name) => {
    expect(() => requireUnreservedName(name)).not.toThrow()
  },
)

it.each(['import', 'import/a', 'a/merge', 'a/b/diff', 'changes/a', 'a/slug', 'a/preview/b', `a/${id}`])(
  '%s is not, because of its path',
  (name) => {
    expect(() => requireUnreservedName(name)).toThrow(expect.objectContaining({ code: 'invalid' }))
  },
)
