import { drawEdge, drawShape } from './draw-parts.ts'
import type { Box, Diagram } from './read-diagram.ts'
import { escapeText } from './text.ts'

// Space for strokes and arrowheads beyond the coordinates.
const margin = 20

// The picture has its own background, so that its contrast does not depend on the page.
const style = `
    .ground { fill: #ffffff }
    .line { fill: none; stroke: #1f2933; stroke-width: 1.5 }
    .box { fill: #eef4fb; stroke: #1f2933; stroke-width: 1.5 }
    .thick { stroke-width: 3.5 }
    .tip { fill: #1f2933 }
    text { fill: #1f2933; font: 12px system-ui, sans-serif; text-anchor: middle; dominant-baseline: central }
    .halo { stroke: #ffffff; stroke-width: 4; paint-order: stroke }
    @media (prefers-color-scheme: dark) {
      .ground { fill: #161b22 }
      .line { stroke: #e6edf3 }
      .box { fill: #22303f; stroke: #e6edf3 }
      .tip, text { fill: #e6edf3 }
      .halo { stroke: #161b22 }
    }
  `

/**
 * Draws a diagram as an SVG according to its coordinates. The same diagram always gives the same
 * output.
 */
export function drawDiagram(diagram: Diagram): string {
  const { x, y, width, height } = boundsOf(diagram)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${x} ${y} ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title description">
  <title id="title">${escapeText(diagram.name)}</title>
  <desc id="description">${escapeText(diagram.documentation)}</desc>
  <style>${style}</style>
  <defs>
    <marker id="tip" viewBox="0 0 10 10" refX="10" refY="5" markerWidth="8" markerHeight="8" orient="auto">
      <path class="tip" d="M 0 0 L 10 5 L 0 10 z" />
    </marker>
  </defs>
  <rect class="ground" x="${x}" y="${y}" width="${width}" height="${height}" rx="8" />
${[...diagram.edges.map(drawEdge), ...diagram.shapes.map(drawShape)].join('\n')}
</svg>
`
}

function boundsOf({ shapes, edges }: Diagram): Box {
  const boxes = [
    ...shapes.map(({ box }) => box),
    ...[...shapes, ...edges].flatMap(({ label }) => label ?? []),
  ]
  const points = edges.flatMap((edge) => edge.points)
  const xs = [...points.map(({ x }) => x), ...boxes.flatMap((box) => [box.x, box.x + box.width])]
  const ys = [...points.map(({ y }) => y), ...boxes.flatMap((box) => [box.y, box.y + box.height])]
  const [x, y] = [Math.min(...xs) - margin, Math.min(...ys) - margin]
  return { x, y, width: Math.max(...xs) + margin - x, height: Math.max(...ys) + margin - y }
}
