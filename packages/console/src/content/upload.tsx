import { useMutation } from '@tanstack/react-query'
import { useId, useState, type ReactNode } from 'react'
import { Drop } from '../controls/drop.tsx'
import { Problem } from '../controls/problem.tsx'
import { quire } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { useBranch } from './at.ts'

/** Which files a control takes, and what becomes of them. */
export interface UploadOptions {
  /** The media types that it accepts, as the browser's file dialog takes them; empty: any. */
  readonly accept: readonly string[]
  /** The content type of the new asset; undefined: the only one that accepts the file. */
  readonly type: string | undefined
}

interface UploadProps extends UploadOptions {
  readonly children: ReactNode
  /** Called with the id of the new asset. */
  readonly onDone: (id: string) => void
}

/** Takes a file that is dropped on it or chosen, and uploads it: what breaks off goes on where it stopped. */
export function Upload({ children, accept, type, onDone }: UploadProps) {
  const { editor: words } = useWords()
  const { at, reason } = useBranch()
  const id = useId()
  const [part, setPart] = useState(0)
  const upload = useMutation({
    mutationFn: (file: File) =>
      quire.assets.upload(file, {
        repositoryId: at.configId,
        ...(at.packageName !== undefined && { packageName: at.packageName }),
        ...(type !== undefined && { type }),
        memory: localStorage,
        onProgress: ({ sent, total }) => setPart(total === 0 ? 1 : sent / total),
      }),
    onSuccess: (asset) => onDone(asset.id),
  })
  const send = (files: FileList | null) => {
    const [file] = files ?? []
    if (file && !upload.isPending) upload.mutate(file)
  }
  if (reason('assets.upload') !== null) return children
  return (
    <Drop onFiles={send}>
      {children}
      <span className="row">
        <label htmlFor={id}>{words.upload}</label>
        <input
          id={id}
          type="file"
          accept={accept.join(',')}
          disabled={upload.isPending}
          onChange={({ target }) => send(target.files)}
        />
        {upload.isPending && (
          <progress value={part} aria-label={words.uploading}>
            {words.uploading}
          </progress>
        )}
      </span>
      <Problem error={upload.error} />
    </Drop>
  )
}
