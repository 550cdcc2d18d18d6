import { Editor } from '@tiptap/core'
import { StarterKit } from '@tiptap/starter-kit'
import { useEffect, useReducer, useRef, useState } from 'react'
import { textOf } from '../controls/value.tsx'
import { useWords } from '../words/language.tsx'
import { isSameHtml, storedHtml } from './html.ts'
import type { InputProps } from './inputs.tsx'

interface HtmlEditorProps extends InputProps {
  /** Called if the editor would change the HTML without anybody typing: it must be edited as source. */
  readonly onUnfit: () => void
}

const extensions = [
  StarterKit.configure({
    heading: { levels: [2, 3, 4] },
    link: { openOnClick: false, autolink: false, HTMLAttributes: { target: null, rel: null, class: null } },
    trailingNode: false,
  }),
]

const formats = ['bold', 'italic', 'code', 'blockquote', 'bulletList', 'orderedList'] as const

/** Edits HTML as people see it. */
export function HtmlEditor({ field, value, onChange, ids, onUnfit }: HtmlEditorProps) {
  const { editor: words } = useWords()
  const host = useRef<HTMLDivElement>(null)
  const [editor, setEditor] = useState<Editor | null>(null)
  const [, render] = useReducer((count: number) => count + 1, 0)
  const html = textOf(value ?? '')
  // What the editor has: another value comes from a save or from somebody else.
  const known = useRef(html)
  const handlers = useRef({ onChange, onUnfit })
  handlers.current = { onChange, onUnfit }
  useEffect(() => {
    const made = new Editor({
      element: host.current,
      extensions,
      content: known.current,
      autofocus: 'end',
      injectCSS: false,
      editorProps: {
        attributes: {
          id: ids.id,
          role: 'textbox',
          dir: 'auto',
          'aria-multiline': 'true',
          'aria-label': field.label === '' ? field.name : field.label,
        },
      },
      onUpdate({ editor: changed }) {
        known.current = changed.isEmpty ? '' : storedHtml(changed.getHTML())
        handlers.current.onChange(known.current === '' ? undefined : known.current)
      },
      onTransaction: render,
    })
    if (!isSameHtml(known.current, made.isEmpty ? '' : made.getHTML())) handlers.current.onUnfit()
    setEditor(made)
    return () => made.destroy()
  }, [field, ids.id])
  useEffect(() => {
    if (!editor || html === known.current) return
    known.current = html
    editor.commands.setContent(html, { emitUpdate: false })
    if (!isSameHtml(html, editor.isEmpty ? '' : editor.getHTML())) handlers.current.onUnfit()
  }, [editor, html])
  return (
    <div className="html-editor">
      {editor && (
        <div role="toolbar" aria-label={words.formats} className="row">
          {formats.map((format) => (
            <button
              key={format}
              type="button"
              aria-pressed={editor.isActive(format)}
              onClick={() => toggle(editor, format)}
            >
              {words.format[format]}
            </button>
          ))}
          {([2, 3] as const).map((level) => (
            <button
              key={level}
              type="button"
              aria-pressed={editor.isActive('heading', { level })}
              onClick={() => editor.chain().focus().toggleHeading({ level }).run()}
            >
              {words.heading(level)}
            </button>
          ))}
          <LinkButton editor={editor} />
        </div>
      )}
      <div ref={host} />
    </div>
  )
}

function toggle(editor: Editor, format: (typeof formats)[number]): void {
  const chain = editor.chain().focus()
  const chains = {
    bold: () => chain.toggleBold(),
    italic: () => chain.toggleItalic(),
    code: () => chain.toggleCode(),
    blockquote: () => chain.toggleBlockquote(),
    bulletList: () => chain.toggleBulletList(),
    orderedList: () => chain.toggleOrderedList(),
  }
  chains[format]().run()
}

/** Makes a link of what is selected, changes it, or takes it away when the address is empty. */
function LinkButton({ editor }: { readonly editor: Editor }) {
  const { editor: words } = useWords()
  const [address, setAddress] = useState<string | null>(null)
  const set = () => {
    const href = address?.trim() ?? ''
    const chain = editor.chain().focus().extendMarkRange('link')
    if (href === '') chain.unsetLink().run()
    else chain.setLink({ href }).run()
    setAddress(null)
  }
  if (address === null)
    return (
      <button
        type="button"
        aria-pressed={editor.isActive('link')}
        onClick={() => setAddress(textOf(editor.getAttributes('link')['href'] ?? ''))}
      >
        {words.link}
      </button>
    )
  return (
    <label className="choice">
      {words.linkTo}
      <input
        dir="ltr"
        value={address}
        // Who asks for a link types its address next.
        ref={(input) => input?.focus()}
        onChange={({ target }) => setAddress(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setAddress(null)
          if (event.key !== 'Enter') return
          event.preventDefault()
          set()
        }}
        onBlur={set}
      />
    </label>
  )
}
