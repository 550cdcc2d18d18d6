import { DomUtils, parseDocument } from 'htmlparser2'

/** A rectangle in the diagram's own units. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** A point of a flow. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** An element of the process, with its position in the diagram. */
export interface Shape {
  /** `userTask`, `exclusiveGateway`, … */
  readonly kind: string
  readonly name: string
  readonly box: Box
  /** The position of its name; undefined: inside the element. */
  readonly label: Box | undefined
}

/** A flow, with its route in the diagram. */
export interface Edge {
  readonly name: string
  readonly points: readonly Point[]
  readonly label: Box | undefined
}

/** A process with its layout. */
export interface Diagram {
  readonly name: string
  readonly documentation: string
  readonly shapes: readonly Shape[]
  readonly edges: readonly Edge[]
}

type Parent = Parameters<typeof DomUtils.getElementsByTagName>[1]
type Element = ReturnType<typeof all>[number]

/** Reads the diagram from BPMN 2.0 XML, with the namespace prefixes that modelling tools use. */
export function readDiagram(source: string): Diagram {
  const document = parseDocument(source, { xmlMode: true })
  const drawn = (shape: Element) => {
    const element = DomUtils.getElementById(shape.attribs['bpmnElement'] ?? '', document)
    if (!element)
      throw new Error(
        `The diagram contains ${shape.attribs['bpmnElement']}, which is not an element of the process.`,
      )
    return element
  }
  return {
    name: all('bpmn:process', document)[0]?.attribs['name'] ?? '',
    documentation: all('bpmn:documentation', document).map(DomUtils.textContent).join(' '),
    shapes: all('bpmndi:BPMNShape', document).map((shape) => shapeOf(shape, drawn(shape))),
    edges: all('bpmndi:BPMNEdge', document).map((edge) => edgeOf(edge, drawn(edge))),
  }
}

function shapeOf(shape: Element, element: Element): Shape {
  const box = shape.children.map(boxOf).find((each) => each !== undefined)
  if (!box) throw new Error(`The diagram has no position for ${element.attribs['id']}.`)
  const kind = element.name.replace(/^bpmn:/, '')
  return { kind, name: nameOf(element), box, label: labelOf(shape) }
}

function edgeOf(edge: Element, element: Element): Edge {
  const points = all('di:waypoint', edge).map((each) => ({ x: numberOf(each, 'x'), y: numberOf(each, 'y') }))
  return { name: nameOf(element), points, label: labelOf(edge) }
}

function labelOf(drawn: Element): Box | undefined {
  const [bounds] = all('bpmndi:BPMNLabel', drawn).flatMap((label) => all('dc:Bounds', label))
  return bounds && boxOf(bounds)
}

function boxOf(node: Element['children'][number]): Box | undefined {
  if (!('attribs' in node) || node.name !== 'dc:Bounds') return undefined
  const [x, y] = [numberOf(node, 'x'), numberOf(node, 'y')]
  return { x, y, width: numberOf(node, 'width'), height: numberOf(node, 'height') }
}

function all(name: string, parent: Parent) {
  return DomUtils.getElementsByTagName(name, parent)
}

function nameOf({ attribs }: Element): string {
  return attribs['name'] ?? ''
}

function numberOf({ attribs }: Element, name: string): number {
  return Number(attribs[name])
}
