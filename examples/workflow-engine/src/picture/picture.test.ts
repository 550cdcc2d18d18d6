import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDocument, DomUtils } from 'htmlparser2'
import { expect, it } from 'vitest'
import { readProcesses } from '../processes.ts'
import { drawDiagram } from './draw.ts'
import { drawProcess, pictureFile } from './files.ts'
import { readDiagram } from './read-diagram.ts'
import { linesOf } from './text.ts'

const folder = join(import.meta.dirname, '../../process')
const source = readFileSync(join(folder, 'two-step-review.bpmn'), 'utf8')

it('is current (otherwise run pnpm --filter @quire-examples/workflow-engine draw)', () => {
  expect(readFileSync(pictureFile, 'utf8')).toBe(drawProcess())
})

it('shows everything in the process', async () => {
  const diagram = readDiagram(source)
  const steps = (await readProcesses(folder)).get('two-step-review')?.steps
  const tasks = diagram.shapes.filter(({ kind }) => kind === 'userTask')
  expect(tasks.map(({ name }) => name)).toEqual(steps?.map(({ label }) => label))
  const count = (pattern: RegExp) => source.match(pattern)?.length
  expect(diagram.edges).toHaveLength(count(/<bpmn:sequenceFlow /g) ?? 0)
  expect(diagram.shapes).toHaveLength(count(/<bpmn:(?:\w+(?:Event|Gateway|Task)) /g) ?? 0)
})

it('has a text alternative', () => {
  const [svg] = DomUtils.getElementsByTagName('svg', parseDocument(drawProcess(), { xmlMode: true }))
  const ids = svg?.attribs['aria-labelledby']?.split(' ') ?? []
  const texts = ids.map((id) => DomUtils.textContent(DomUtils.getElementById(id, svg?.children ?? []) ?? []))
  expect(texts).toEqual(['Two-step review', readDiagram(source).documentation])
  expect(texts[1]).toContain('chief editor')
})

it('is well-formed, whatever characters a name contains', () => {
  const drawn = drawDiagram(readDiagram(source.replaceAll('"Too long"', '"a &lt; b &amp; c"')))
  expect(drawn).toContain('>a &lt; b &amp; c</text>')
})

it('breaks names between words', () => {
  expect(linesOf('Rework by the author', 16)).toEqual(['Rework by the', 'author'])
  expect(linesOf('Incomprehensibilities', 16)).toEqual(['Incomprehensibilities'])
})
