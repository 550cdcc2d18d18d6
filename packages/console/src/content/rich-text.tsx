import type { RichTextField } from '@quire/client'
import { lazy, Suspense, useState } from 'react'
import { Act } from '../controls/act.tsx'
import { textOf } from '../controls/value.tsx'
import { useWords } from '../words/language.tsx'
import { SourceInput, type InputProps } from './inputs.tsx'

// Larger than all other controls together: it is loaded by whoever edits a text with it.
const HtmlEditor = lazy(async () => ({ default: (await import('./html-editor.tsx')).HtmlEditor }))

/** Text with formats. HTML has an editor; Markdown, and HTML that the editor would change, is edited as source. */
export function RichTextInput(props: InputProps<RichTextField>) {
  const { editor: words, loading } = useWords()
  const { field, value, ids } = props
  const [way, setWay] = useState<'closed' | 'editor' | 'source'>('closed')
  const [isUnfit, setUnfit] = useState(false)
  if (field.settings.format !== 'html') return <SourceInput {...props} />
  if (way === 'closed')
    return (
      <div className="closed">
        <p dir="auto" className="value">
          {plainText(textOf(value ?? ''))}
        </p>
        <span className="row">
          <button type="button" id={ids.id} aria-label={words.editText} onClick={() => setWay('editor')}>
            {words.editText}
          </button>
          <Act onAct={() => setWay('source')}>{words.editSource}</Act>
        </span>
      </div>
    )
  if (way === 'editor' && !isUnfit)
    return (
      <Suspense fallback={<p role="status">{loading}</p>}>
        <HtmlEditor {...props} onUnfit={() => setUnfit(true)} />
        <Act onAct={() => setWay('source')}>{words.editSource}</Act>
      </Suspense>
    )
  return (
    <>
      {isUnfit && <small role="status">{words.unfit}</small>}
      <SourceInput {...props} />
      {!isUnfit && <Act onAct={() => setWay('editor')}>{words.editText}</Act>}
    </>
  )
}

const mostShown = 400

/** The words of an HTML text. Nothing of it is loaded or runs. */
function plainText(html: string): string {
  const { body } = new DOMParser().parseFromString(
    html.replaceAll(/<\/(p|h\d|li|blockquote)>/g, '$& '),
    'text/html',
  )
  const text = (body.textContent ?? '').trim()
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text
}
