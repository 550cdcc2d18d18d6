import type { RichTextField } from '@quire/client'
import { lazy, Suspense, useState } from 'react'
import { Act } from '../controls/act.tsx'
import { textOf } from '../controls/value.tsx'
import { useWords } from '../words/language.tsx'
import { mayHaveHandlers } from './html.ts'
import { SourceInput, type InputProps } from './inputs.tsx'

// Larger than all other controls together: it is loaded by whoever edits a text with it.
const HtmlEditor = lazy(async () => ({ default: (await import('./html-editor.tsx')).HtmlEditor }))

/** Text with formats. HTML has an editor; Markdown, and HTML that the editor would change, is edited as source. */
export function RichTextInput(props: InputProps<RichTextField>) {
  const { editor: words, loading } = useWords()
  const { field, value, ids } = props
  const [way, setWay] = useState<'closed' | 'editor' | 'source' | 'unfit'>('closed')
  // Decided when it opens: an editor that is replaced while somebody types would lose what they type.
  const open = () => setWay(mayHaveHandlers(textOf(value ?? '')) ? 'unfit' : 'editor')
  if (field.settings.format !== 'html') return <SourceInput {...props} />
  if (way === 'closed')
    return (
      <div className="closed">
        <p dir="auto" className="value">
          {plainText(textOf(value ?? ''))}
        </p>
        <span className="row">
          <button type="button" id={ids.id} aria-label={words.editText} onClick={open}>
            {words.editText}
          </button>
          <Act onAct={() => setWay('source')}>{words.editSource}</Act>
        </span>
      </div>
    )
  if (way === 'editor')
    return (
      <Suspense fallback={<p role="status">{loading}</p>}>
        <HtmlEditor {...props} onUnfit={() => setWay('unfit')} />
        <Act onAct={() => setWay('source')}>{words.editSource}</Act>
      </Suspense>
    )
  return (
    <>
      {way === 'unfit' && <small role="status">{words.unfit}</small>}
      <SourceInput {...props} />
      {way === 'source' && <Act onAct={open}>{words.editText}</Act>}
    </>
  )
}

const mostShown = 400

/** The words of an HTML text. Nothing of it is loaded or runs. */
function plainText(html: string): string {
  if (mayHaveHandlers(html)) return html.slice(0, mostShown)
  const { body } = new DOMParser().parseFromString(
    html.replaceAll(/<\/(p|h\d|li|blockquote)>/g, '$& '),
    'text/html',
  )
  const text = (body.textContent ?? '').trim()
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text
}
