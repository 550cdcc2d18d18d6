import { useState, type ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { Collection } from 'react-aria-components/Collection'
import { Tree as AriaTree, TreeItem, TreeItemContent } from 'react-aria-components/Tree'
import { useDragAndDrop } from 'react-aria-components/useDragAndDrop'
import { Act, type Reason } from '../controls/act.tsx'
import { Delete } from '../controls/delete.tsx'
import { Field } from '../controls/field.tsx'
import { useWords } from '../words/language.tsx'

/** A folder, or a category. */
export interface TreeNode {
  readonly id: string
  readonly name: string
  /** Null at the top. */
  readonly parentId: string | null
  /** What is said of it beside its name. */
  readonly note?: string
  /** Whether nothing can be in it, and it is always in something. */
  readonly isLeaf?: boolean
}

interface TreeProps {
  readonly label: string
  readonly nodes: readonly TreeNode[]
  /** Why the person may not create, change or delete one. */
  readonly reasons: { readonly create: Reason; readonly update: Reason; readonly delete: Reason }
  /** Whether something is moved that must not be moved again at the same time. */
  readonly isBusy?: boolean
  readonly onCreate: (name: string, parentId: string | null) => void
  readonly onRename: (id: string, name: string) => void
  readonly onMove: (id: string, parentId: string | null) => void
  /** Moves one among others: `siblings` are all in the parent, in their new order. Absent: they are ordered by name. */
  readonly onReorder?: (id: string, parentId: string | null, siblings: readonly string[]) => void
  readonly onDelete: (id: string) => void
  /** What else can be done with one. */
  readonly more?: (node: TreeNode) => ReactNode
  /** The chosen one, if whoever shows the tree knows it. */
  readonly selected?: string | null
  readonly onSelect?: (id: string | null) => void
}

/** A tree in which things are moved by drag, or by keyboard (Enter on the handle, then arrows), renamed, added and deleted. */
export function Tree({ label, nodes, reasons, isBusy = false, onMove, onReorder, ...props }: TreeProps) {
  const { trees: words } = useWords()
  const [own, setOwn] = useState<string | null>(null)
  const { selected = own, onSelect: setSelected = setOwn } = props
  // Everything is open at first, also what is added later.
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const parentOf = (id: string) => nodes.find((node) => node.id === id)?.parentId ?? null
  const isLeaf = (id: string) => nodes.some((node) => node.id === id && node.isLeaf)
  const mayBeIn = (id: string, parentId: string | null) =>
    parentId === null ? !isLeaf(id) : !isWithin(parentId, id)
  const isWithin = (id: string, outer: string): boolean => {
    const parentId = parentOf(id)
    return id === outer || (parentId !== null && isWithin(parentId, outer))
  }
  const { dragAndDropHooks } = useDragAndDrop({
    isDisabled: isBusy || reasons.update !== null,
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': String(key) })),
    getDropOperation: (target) =>
      target.type === 'item' && target.dropPosition === 'on' && isLeaf(String(target.key))
        ? 'cancel'
        : 'move',
    onMove: ({ keys, target: { key, dropPosition } }) => {
      const beside = nodes.find((one) => one.id === String(key))?.id
      // Below the last row, the tree names none of ours: that is the end of the top.
      const isInto = beside !== undefined && dropPosition === 'on'
      const parentId = isInto ? beside : parentOf(beside ?? '')
      for (const id of [...keys].map(String).filter((one) => one !== beside && mayBeIn(one, parentId))) {
        if (onReorder && !isInto) onReorder(id, parentId, siblingsWith(id, { beside, dropPosition }))
        else if (parentOf(id) !== parentId) onMove(id, parentId)
      }
    },
  })
  /** The ids around a drop, with what was dropped. Without `beside`, it is the last at the top. */
  const siblingsWith = (
    id: string,
    { beside, dropPosition }: { readonly beside: string | undefined; readonly dropPosition: string },
  ) => {
    const others = idsOf(childrenOf(parentOf(beside ?? ''))).filter((one) => one !== id)
    const before = beside === undefined ? others.length : others.indexOf(beside)
    return others.toSpliced(dropPosition === 'after' ? before + 1 : before, 0, id)
  }
  const node = nodes.find(({ id }) => id === selected)
  const childrenOf = (parentId: string | null) => nodes.filter((one) => one.parentId === parentId)
  const item = ({ id, name, note }: TreeNode) => (
    <TreeItem id={id} textValue={name}>
      <TreeItemContent>
        {({ hasChildItems, isExpanded, allowsDragging }) => (
          <span className="row">
            {allowsDragging && reasons.update === null && (
              <Button slot="drag" aria-label={words.move(name)}>
                ≡
              </Button>
            )}
            {hasChildItems && (
              <Button slot="chevron" aria-label={isExpanded ? words.close(name) : words.open(name)}>
                {isExpanded ? '▾' : '▸'}
              </Button>
            )}
            <bdi>{name}</bdi>
            {note !== undefined && <small dir="auto">{note}</small>}
          </span>
        )}
      </TreeItemContent>
      <Collection items={childrenOf(id)}>{item}</Collection>
    </TreeItem>
  )
  return (
    <>
      <AriaTree
        aria-label={label}
        className="tree"
        // What is in the closures of an item changes with the nodes.
        dependencies={[nodes]}
        items={childrenOf(null)}
        expandedKeys={idsOf(nodes.filter(({ id }) => !closed.has(id)))}
        onExpandedChange={(open) => setClosed(new Set(idsOf(nodes.filter(({ id }) => !open.has(id)))))}
        selectionMode="single"
        selectedKeys={selected === null ? [] : [selected]}
        onSelectionChange={(keys) => setSelected(keys === 'all' ? null : String([...keys][0] ?? '') || null)}
        dragAndDropHooks={dragAndDropHooks}
        renderEmptyState={() => words.none}
      >
        {item}
      </AriaTree>
      <NodePanel
        key={selected}
        {...props}
        node={node}
        nodes={nodes}
        reasons={reasons}
        onMove={onMove}
        mayBeIn={mayBeIn}
      />
    </>
  )
}

function idsOf(nodes: readonly TreeNode[]): string[] {
  return nodes.map(({ id }) => id)
}

interface NodePanelProps extends Omit<TreeProps, 'label'> {
  readonly node: TreeNode | undefined
  readonly mayBeIn: (id: string, parentId: string | null) => boolean
}

/** What can be done with the chosen one, or, without one, at the top. */
function NodePanel({
  node,
  nodes,
  reasons,
  mayBeIn,
  onCreate,
  onRename,
  onMove,
  onDelete,
  more,
}: NodePanelProps) {
  const { trees: words } = useWords()
  const [name, setName] = useState(node?.name ?? '')
  const [child, setChild] = useState('')
  return (
    <div className="panel">
      {node && (
        <>
          <form
            className="row"
            onSubmit={(event) => {
              event.preventDefault()
              onRename(node.id, name.trim())
            }}
          >
            <Field label={words.name} value={name} onChange={setName} isRequired />
            <Act submits reason={reasons.update}>
              {words.rename}
            </Act>
          </form>
          <p className="row">
            <label className="choice">
              {words.moveTo}{' '}
              <select
                disabled={reasons.update !== null}
                value={node.parentId ?? ''}
                onChange={({ target }) => onMove(node.id, target.value === '' ? null : target.value)}
              >
                {mayBeIn(node.id, null) && <option value="">{words.top}</option>}
                {nodes
                  .filter((one) => !one.isLeaf && mayBeIn(node.id, one.id))
                  .map((one) => (
                    <option key={one.id} value={one.id}>
                      {one.name}
                    </option>
                  ))}
              </select>
            </label>
            {more?.(node)}
            <Delete
              name={node.name}
              text={words.deleteText}
              reason={reasons.delete}
              isBusy={false}
              onYes={() => onDelete(node.id)}
            />
          </p>
        </>
      )}
      {node?.isLeaf !== true && (
        <form
          className="row"
          onSubmit={(event) => {
            event.preventDefault()
            onCreate(child.trim(), node?.id ?? null)
            setChild('')
          }}
        >
          <Field
            label={node ? words.newIn(node.name) : words.newAtTop}
            value={child}
            onChange={setChild}
            isRequired
          />
          <Act submits reason={reasons.create}>
            {words.create}
          </Act>
        </form>
      )}
    </div>
  )
}
