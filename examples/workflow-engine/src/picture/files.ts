import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawDiagram } from './draw.ts'
import { readDiagram } from './read-diagram.ts'

const example = join(import.meta.dirname, '../..')

/** Where the picture of the process is kept: where the guide shows it. */
export const pictureFile = join(example, '../../docs/guide/pictures/two-step-review.svg')

/** The picture of the process as its diagram is now. */
export function drawProcess(): string {
  return drawDiagram(readDiagram(readFileSync(join(example, 'process/two-step-review.bpmn'), 'utf8')))
}
