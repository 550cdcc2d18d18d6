import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawDiagram } from './draw.ts'
import { readDiagram } from './read-diagram.ts'

const example = join(import.meta.dirname, '../..')

/** The picture of the process, which the guide displays. */
export const pictureFile = join(example, '../../docs/guide/pictures/two-step-review.svg')

/** Draws the current diagram of the process. */
export function drawProcess(): string {
  return drawDiagram(readDiagram(readFileSync(join(example, 'process/two-step-review.bpmn'), 'utf8')))
}
