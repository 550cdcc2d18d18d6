import { describe, expect, it } from 'vitest'
import { readXliff } from './read-xliff.ts'

const namespace = 'urn:oasis:names:tc:xliff:document:2.0'

/** A document with something in it, from its second line on. */
function document(inner: string): string {
  return `<xliff xmlns="${namespace}" version="2.1" srcLang="en" trgLang="de">\n${inner}</xliff>`
}

function unit(segments: string): string {
  return document(`<file id="1">\n<unit id="fields.title">${segments}</unit></file>`)
}

const texts = '<source>Ink</source><target>Tinte</target>'

describe('a document is refused, by its line,', () => {
  const long = 'x'.repeat(1_000_000)

  it.each([
    ['with a file in a file', document('<file id="1"><file id="2"/></file>'), 'line 2: has <file> in <file>'],
    ['with XLIFF in XLIFF', document(document('')), 'line 2: has <xliff> in <xliff>'],
    [
      'with a unit in a unit',
      unit('<segment/>\n<unit id="2"><segment/></unit>'),
      'line 4: has <unit> in <unit>',
    ],
    ['with a group in a unit', unit('<group><unit id="2"/></group>'), 'line 3: has <group> in <unit>'],
    ['with a unit outside of a file', document('\n<unit id="1"/>'), 'line 3: has <unit> in <xliff>'],
    [
      'with a unit in an extension',
      document('<file id="1"><e xmlns="e"><u:unit xmlns:u="' + namespace + '" id="1"/></e></file>'),
      'line 2: has <unit> in another element',
    ],
    [
      'with a segment outside of a unit',
      document('<file id="1"><segment/></file>'),
      'line 2: has <segment> in <file>',
    ],
    ['with a source outside of a segment', unit('<source/>'), 'line 3: has <source> in <unit>'],
    [
      'with a source in a source',
      unit('<segment><source>a<source/></source></segment>'),
      'line 3: has <source> in <source>',
    ],
    [
      'with a target in a source',
      unit('<segment><source><mrk><target/></mrk></source></segment>'),
      'line 3: has <target> in <mrk>',
    ],
    ['with a file without an id', document('<file/>'), 'line 2: has <file> without an id'],
    [
      'with a unit without an id',
      document('<file id="1">\n<unit/></file>'),
      'line 3: has <unit> without an id',
    ],
    [
      'with two sources',
      unit('<segment><source/>\n<source/></segment>'),
      'line 4: has two <source> in a segment',
    ],
    [
      'with two targets',
      unit(`<segment>${texts}\n<target/></segment>`),
      'line 4: has two <target> in a segment',
    ],
    [
      'with many attributes',
      document(`<file ${Array.from({ length: 101 }, (_, at) => `a${at}=""`).join(' ')}/>`),
      'line 2: has more than 100 attributes in an element',
    ],
    [
      'with a long attribute',
      document(`<file id="${long}"/>`),
      'line 2: has an attribute of more than 10000 characters',
    ],
    ['with a long name', `<${long}/>`, `line 1: is not XLIFF, but <${'x'.repeat(181)}…`],
  ])('%s', async (_, text, message) => {
    await expect(readXliff(text)).rejects.toMatchObject({
      code: 'invalid',
      issues: [{ path: 'file', message }],
    })
  })
})

it('an element can have as many attributes as others have together', async () => {
  const attributes = Array.from({ length: 90 }, (_, at) => `a${at}=""`).join(' ')
  const files = `<file id="1" ${attributes}/><file id="2" ${attributes}/>`
  expect(await readXliff(document(files))).toMatchObject({ units: [] })
})

it.each([
  ['', false],
  ['state="initial"', false],
  ['state="translated" subState="quire:outdated-1f"', false],
  ['state="translated"', true],
  ['state="reviewed" subState="their:own"', true],
  ['state="final"', true],
])('a segment with %s tells whether somebody has worked on it', async (state, isWorkedOn) => {
  const { units } = await readXliff(unit(`<segment ${state}>${texts}</segment>`))
  expect(units).toMatchObject([{ source: 'Ink', target: 'Tinte', isWorkedOn }])
})

it('a unit is worked on if all its segments are', async () => {
  const done = `<segment state="final">${texts}</segment><ignorable><source> </source></ignorable>`
  expect(await readXliff(unit(done + done))).toMatchObject({ units: [{ isWorkedOn: true }] })
  const { units } = await readXliff(unit(`${done}<segment>${texts}</segment>`))
  expect(units).toMatchObject([{ source: 'Ink Ink', target: 'Tinte Tinte', isWorkedOn: false }])
})
