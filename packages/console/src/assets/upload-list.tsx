import { Link } from '@tanstack/react-router'
import { branchSearch } from '../content/search.ts'
import { Act } from '../controls/act.tsx'
import { Problem } from '../controls/problem.tsx'
import { useLanguage } from '../words/language.tsx'
import { pauseUpload, removeUpload, resumeUpload, type FileUpload, useUploads } from './uploads.ts'

/** What is being uploaded, with a way to pause each, and what it became. */
export function UploadList() {
  const { words } = useLanguage()
  const uploads = useUploads()
  if (uploads.length === 0) return null
  return (
    <section className="panel" aria-label={words.assets.uploads}>
      <h2>{words.assets.uploads}</h2>
      <ul className="bare">
        {uploads.map((upload) => (
          <li key={upload.id}>
            <OneUpload upload={upload} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function OneUpload({
  upload: { id, file, options, state, sent, error, item },
}: {
  readonly upload: FileUpload
}) {
  const {
    words: { assets: words },
  } = useLanguage()
  const size = useSizeText()
  const isOpen = state === 'waiting' || state === 'sending'
  return (
    <>
      <div className="row">
        {item ? (
          <Link
            to="/$repo/content/$id/file"
            params={{ repo: options.repositoryId, id: item.id }}
            search={branchSearch({ in: options.packageName })}
            dir="auto"
          >
            {file.name}
          </Link>
        ) : (
          <bdi>{file.name}</bdi>
        )}
        <progress value={sent} max={Math.max(1, file.size)} aria-label={words.progress(file.name)} />
        <small>
          <span role="status">{words.states[state]}</span> · {size(sent)} / {size(file.size)}
        </small>
        {isOpen && <Act onAct={() => pauseUpload(id)}>{words.pause(file.name)}</Act>}
        {(state === 'paused' || state === 'failed') && (
          <Act onAct={() => resumeUpload(id)}>{words.resume(file.name)}</Act>
        )}
        <Act onAct={() => removeUpload(id)}>{words.forget(file.name)}</Act>
      </div>
      <Problem error={error} />
    </>
  )
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Writes a number of bytes in the language of the page. */
export function useSizeText(): (bytes: number) => string {
  const { language } = useLanguage()
  return (bytes) => {
    const step = bytes === 0 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
    const options = { style: 'unit', unit: units[step] ?? 'byte', maximumFractionDigits: 1 } as const
    return new Intl.NumberFormat(language, options).format(bytes / 1000 ** step)
  }
}
