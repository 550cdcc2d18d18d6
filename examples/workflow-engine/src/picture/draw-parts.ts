import type { Box, Edge, Point, Shape } from './read-diagram.ts'
import { escapeText, linesOf } from './text.ts'

const lineHeight = 15
// The number of 12-pixel letters that fit into a task of 120 units with its margins.
const lettersOfTask = 16

/** A flow: its line, its arrowhead and its name. */
export function drawEdge({ name, points, label }: Edge): string {
  const corners = points.map(({ x, y }) => `${x},${y}`).join(' ')
  const line = `  <polyline class="line" points="${corners}" marker-end="url(#tip)" />`
  return [line, ...(label ? [drawLabel(name, label)] : [])].join('\n')
}

/** A task, an event or a gateway, and its name. */
export function drawShape({ kind, name, box, label }: Shape): string {
  const draw = drawings[kind]
  if (!draw) throw new Error(`Cannot draw ${kind}.`)
  const text = label ? drawLabel(name, label) : drawLines(linesOf(name, lettersOfTask), belowIcon(box))
  return `${draw(box)}\n${text}`
}

const drawings: Readonly<Record<string, (box: Box) => string>> = {
  userTask: drawUserTask,
  exclusiveGateway: drawGateway,
  startEvent: (box) => drawCircle(box, 'box'),
  endEvent: (box) => drawCircle(box, 'box thick'),
  boundaryEvent: drawTimer,
}

function drawUserTask({ x, y, width, height }: Box): string {
  return `  <rect class="box" x="${x}" y="${y}" width="${width}" height="${height}" rx="10" />
  <circle class="line" cx="${x + 16}" cy="${y + 13}" r="4" />
  <path class="line" d="M ${x + 8} ${y + 26} a 8 8 0 0 1 16 0 z" />`
}

function drawGateway(box: Box): string {
  const { x, y } = centreOf(box)
  const [half, arm] = [box.width / 2, box.width / 7]
  return `  <path class="box" d="M ${x} ${y - half} l ${half} ${half} l ${-half} ${half} l ${-half} ${-half} z" />
  <path class="line thick" d="M ${round(x - arm)} ${round(y - arm)} L ${round(x + arm)} ${round(y + arm)} M ${round(x + arm)} ${round(y - arm)} L ${round(x - arm)} ${round(y + arm)}" />`
}

function drawCircle(box: Box, look: string): string {
  const { x, y } = centreOf(box)
  return `  <circle class="${look}" cx="${x}" cy="${y}" r="${box.width / 2}" />`
}

/** An interrupting event: two rings with a clock inside. */
function drawTimer(box: Box): string {
  const { x, y } = centreOf(box)
  const radius = box.width / 2
  return `${drawCircle(box, 'box')}
  <circle class="line" cx="${x}" cy="${y}" r="${radius - 3}" />
  <circle class="line" cx="${x}" cy="${y}" r="${radius - 7}" />
  <path class="line" d="M ${x} ${y - 7} V ${y} H ${x + 5}" />`
}

function drawLabel(name: string, label: Box): string {
  return drawLines([name], centreOf(label), 'halo')
}

function drawLines(lines: readonly string[], { x, y }: Point, look?: string): string {
  const top = y - ((lines.length - 1) * lineHeight) / 2
  return lines
    .map(
      (line, at) =>
        `  <text${look ? ` class="${look}"` : ''} x="${x}" y="${top + at * lineHeight}">${escapeText(line)}</text>`,
    )
    .join('\n')
}

// Two centred lines of text would touch the icon in the corner.
function belowIcon(box: Box): Point {
  const { x, y } = centreOf(box)
  return { x, y: y + 8 }
}

function centreOf({ x, y, width, height }: Box): Point {
  return { x: x + width / 2, y: y + height / 2 }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
